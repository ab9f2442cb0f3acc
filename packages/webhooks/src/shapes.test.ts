import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createDedupe, createMemoryStore, createVerifier, type Signed } from './index.ts';
import { outcomeOf, outcomeOfAsync } from './outcome.fixture.ts';
import { signTestEvent } from './testing.ts';
import { createVerifier as createWebVerifier, webhookHandler } from './web.ts';

const T = 1_800_000_000;
const secret = 'whsec_shapes';
const options = { secrets: secret, now: () => T * 1000 };
const { rawBody, headers, signature } = signTestEvent('client.created', { secret, timestamp: T });

/** Returns the code, which both entry points must agree on. */
async function codeOf(signed: unknown): Promise<string> {
  const here = outcomeOf(() => Reflect.apply(createVerifier(options).verify, undefined, [rawBody, signed]));
  const there = await outcomeOfAsync(() =>
    Reflect.apply(createWebVerifier(options).verify, undefined, [rawBody, signed]),
  );
  expect([there.code, there.hint]).toEqual([here.code, here.hint]);
  return here.code;
}

const entries = Object.entries(headers);
const cased = (name: string) => name.replace(/(^|-)[a-z]/g, (part) => part.toUpperCase());
const node = await arrived();

/** Returns the request as Node's HTTP server receives it. */
function arrived(): Promise<IncomingMessage> {
  return new Promise((resolve) => {
    const server = createServer((request, response) => {
      response.end();
      server.close();
      resolve(request);
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const sent = Object.fromEntries(entries.map(([name, value]) => [cased(name), value]));
      void fetch(`http://127.0.0.1:${port}`, {
        method: 'POST',
        body: rawBody,
        headers: { ...sent, connection: 'close' },
      });
    });
  });
}

const shapes: Record<string, Signed> = {
  "Node's headersDistinct": node.headersDistinct,
  "Node's headers": node.headers,
  "Node's rawHeaders": node.rawHeaders,
  'multiValueHeaders of API Gateway': Object.fromEntries(entries.map(([name, value]) => [cased(name), [value]])),
  'an array of one': [signature],
  'pairs in upper case': entries.map(([name, value]): [string, string] => [name.toUpperCase(), value]),
  'a flat list in lower case': entries.flat(),
  'a Map in mixed case': new Map(entries.map(([name, value]) => [cased(name), value])),
  'a Map of arrays': new Map(entries.map(([name, value]) => [name, [value]])),
  'a record without a prototype': Object.assign(Object.create(null), headers),
  'a record with a name of the same length': { 'x-forwarded-protocol': 'https', ...headers },
  'a record with an undefined header in another case': { ...headers, 'X-Platform-Signature': undefined },
  'Headers with the signature alone': new Headers({ 'x-platform-signature': signature }),
};

test.each(Object.entries(shapes))('%s: the delivery is accepted', async (_, signed) => {
  expect(await codeOf(signed)).toBe('ok');
});

const other = `t=${T},v1=${'0'.repeat(64)}`;
test.each<[string, unknown]>([
  ['an array', [signature, other]],
  ['headersDistinct', { ...headers, 'x-platform-signature': [signature, other] }],
  ['two spellings', { ...headers, 'X-Platform-Signature': other }],
  ['pairs', [...entries, ['X-PLATFORM-SIGNATURE', other]]],
  ['a flat list', [...entries.flat(), 'X-Platform-Signature', other]],
  ['a Map', new Map([...entries, ['X-Platform-Signature', other]])],
])('two different signatures in %s are refused', async (_, signed) => {
  expect(await codeOf(signed)).toBe('SIGNATURE_REPEATED');
});

test.each<[string, unknown]>([
  ['a record of arrays', { ...headers, 'X-Platform-Event-Id': ['evt_other'] }],
  ['pairs', [...entries.filter(([name]) => name !== 'x-platform-event'), ['X-Platform-Event', 'group.created']]],
])('an event header in %s that contradicts the body is refused', async (_, signed) => {
  expect(await codeOf(signed)).toBe('EVENT_HEADER_MISMATCH');
});

test.each<[string, unknown]>([
  ['an empty array', []],
  ['an empty Map', new Map()],
  ['an array of empty arrays', [[], []]],
  ['arrays of nothing', { 'x-platform-signature': [] }],
  ['null in arrays', { 'X-Platform-Signature': null }],
  ['a flat list that ends with a name', ['x-platform-signature']],
])('%s contains no signature', async (_, signed) => {
  expect(await codeOf(signed)).toBe('SIGNATURE_MISSING');
});

test.each<[string, object, RegExp]>([
  ['secret', { secret }, /createVerifier: secret is not an option; did you mean secrets\?/],
  ['toleranceSeconds', { secrets: secret, toleranceSeconds: 300 }, /did you mean tolerance\?/],
  ['another case', { Secrets: secret }, /did you mean secrets\?/],
  ['nothing known', { secrets: secret, colour: 'red' }, /the options are secrets, tolerance, now$/],
])('the option name %s is refused, and the message names the right one', (_, wrong, message) => {
  for (const make of [createVerifier, createWebVerifier]) {
    const made = outcomeOf(() => Reflect.apply(make, undefined, [wrong]));
    expect(made).toMatchObject({ code: 'OPTION_INVALID', name: 'WebhookConfigurationError', hint: message });
  }
});

test('option names of adapters, dedupe helpers and stores are checked too', () => {
  const refused = (make: () => unknown) => outcomeOf(make).hint;
  const handle = () => undefined;
  expect(refused(() => Reflect.apply(webhookHandler, undefined, [{ secret }, handle]))).toMatch(
    /webhookHandler: secret/,
  );
  expect(refused(() => Reflect.apply(createDedupe, undefined, [{ ttl: 5 }]))).toMatch(/did you mean ttlSeconds/);
  expect(refused(() => Reflect.apply(createMemoryStore, undefined, [{ max: 5 }]))).toMatch(/maxEntries, now/);
});

test.each([undefined, null, 'whsec_x'])(
  'a verifier or adapter created with %j throws an error of this package',
  (given) => {
    for (const make of [createVerifier, createWebVerifier, webhookHandler]) {
      const made = outcomeOf(() => Reflect.apply(make, undefined, given === undefined ? [] : [given]));
      expect(made).toMatchObject({
        code: 'OPTION_INVALID',
        hint: expect.stringMatching(/needs an object with options/),
      });
    }
  },
);

test('a tolerance in milliseconds is refused, and the message names the unit', () => {
  for (const tolerance of [300_000, 5000]) {
    const made = outcomeOf(() => createVerifier({ secrets: secret, tolerance }));
    expect(made).toMatchObject({ code: 'TOLERANCE_INVALID', hint: expect.stringMatching(/in seconds.*milliseconds/) });
  }
  expect(outcomeOf(() => createVerifier({ secrets: secret, tolerance: 3600 })).code).toBe('ok');
});
