import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVerifier, signDelivery, WebhookVerificationError } from './index.ts';
import { outcomeOf, outcomeOfAsync } from './outcome.fixture.ts';
import { createVerifier as createWebVerifier } from './web.ts';

const T = 1_800_000_000;
const now = () => T * 1000;
const secret = 'whsec_properties';
const verifier = createVerifier({ secrets: secret, now });
const web = createWebVerifier({ secrets: secret, now });

const event = fc.record({
  id: fc.string({ minLength: 1 }).map((tail) => `evt_${tail}`),
  object: fc.constant('event'),
  type: fc.string({ minLength: 1 }),
  created: fc.string({ minLength: 1 }),
  tenant_id: fc.string({ minLength: 1 }),
  data: fc.dictionary(fc.string(), fc.jsonValue()),
});
const secrets = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => text.trim() !== '');
const item = fc.oneof(
  fc.string(),
  fc.constantFrom(`t=${T}`, 't=', `v1=${'a'.repeat(64)}`, 'v1=', ' ', '', '=', 't', 'v1', `v0=${'b'.repeat(64)}`),
  fc.stringMatching(/^[ \t]?(t|v1|v0)=[0-9a-fA-F]{0,66}[ \t]?$/),
);
const headerText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(item, { maxLength: 8 }).map((items) => items.join(',')),
);
const anyBody = fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }), fc.json(), fc.anything());
const anyHeaders = fc.oneof(
  headerText,
  fc.dictionary(
    fc.constantFrom('x-platform-signature', 'X-Platform-Signature', 'x-platform-event', 'host'),
    headerText,
  ),
  fc.anything(),
);

test('a signed delivery is accepted for any event, secrets and time', () => {
  fc.assert(
    fc.property(
      event,
      fc.array(secrets, { minLength: 1, maxLength: 4 }),
      fc.nat(300),
      fc.boolean(),
      (value, all, age, bytes) => {
        const body = JSON.stringify(value);
        const header = signDelivery({ body, secrets: all, timestamp: T - age });
        for (const each of all) {
          const accepts = createVerifier({ secrets: each, now });
          expect(accepts.verify(bytes ? Buffer.from(body) : body, header)).toEqual(JSON.parse(body));
        }
      },
    ),
  );
});

test('a body with one flipped bit is refused', () => {
  fc.assert(
    fc.property(event, fc.nat(), fc.nat(7), (value, position, bit) => {
      const body = Buffer.from(JSON.stringify(value));
      const header = signDelivery({ body, secrets: [secret], timestamp: T });
      const at = position % body.length;
      body.writeUInt8(body.readUInt8(at) ^ (1 << bit), at);
      expect(outcomeOf(() => verifier.verify(body, header)).code).toBe('SIGNATURE_MISMATCH');
    }),
  );
});

test('a header with one flipped bit is refused, except for the case of a hex digit', () => {
  fc.assert(
    fc.property(event, fc.nat(), fc.nat(6), (value, position, bit) => {
      const body = JSON.stringify(value);
      const header = signDelivery({ body, secrets: [secret], timestamp: T });
      const at = position % header.length;
      const flipped = String.fromCharCode(header.charCodeAt(at) ^ (1 << bit));
      const digit = at >= header.indexOf('v1=') + 3;
      fc.pre(!(digit && flipped.toLowerCase() === header.charAt(at)));
      expect(
        outcomeOf(() => verifier.verify(body, header.slice(0, at) + flipped + header.slice(at + 1))).code,
      ).not.toBe('ok');
    }),
  );
});

test('no header and body made without the secret is accepted or causes another error', async () => {
  await fc.assert(
    fc.asyncProperty(anyBody, anyHeaders, async (body, signed) => {
      const here = outcomeOf(() => Reflect.apply(verifier.verify, undefined, [body, signed]));
      expect(here.error).toBeInstanceOf(WebhookVerificationError);
      const there = await outcomeOfAsync(() => Reflect.apply(web.verify, undefined, [body, signed]));
      expect({ ...there, error: undefined }).toEqual({ ...here, error: undefined });
    }),
    { numRuns: 500 },
  );
});

test('a signed body that is not an event is refused with a body code', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (body) => {
        const header = signDelivery({ body, secrets: [secret], timestamp: T });
        expect(outcomeOf(() => verifier.verify(body, header)).code).toMatch(/^BODY_NOT_(UTF8|JSON|EVENT)$/);
      },
    ),
  );
});
