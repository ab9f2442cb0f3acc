import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { decodeBase64url } from './base64url.ts';
import { readClaims } from './claims.ts';
import { webCodec } from './codec.ts';
import { createTokenReader } from './compact-token.ts';
import { LaunchTokenError } from './errors.ts';
import {
  AUDIENCE,
  claims,
  createSigningKey,
  encode,
  header,
  ISSUER,
  jwksOf,
  mint,
  now,
  signParts,
  T,
} from './issuer.fixture.ts';
import { parseJsonObject } from './json.ts';
import { readKeySet } from './keys/rsa-jwk.ts';
import { nodeCodec } from './node-codec.ts';
import { outcomeOf } from './outcome.fixture.ts';
import { createLaunchVerifier } from './verifier.ts';
import { createLaunchVerifier as createWebVerifier } from './web-verifier.ts';

/** Number of inputs and seed of each property. Set FUZZ_RUNS=1000000 for a long run. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 3000);
const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
const LONG = { timeout: 120_000 + RUNS };
const settings = { numRuns: RUNS, seed: SEED };
/** Fewer inputs, because each one costs a signature of a millisecond. */
const signed = { numRuns: Math.ceil(RUNS / 10), seed: SEED };

const key = createSigningKey('key_1');
const fetch = async (): Promise<Response> =>
  new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } });
const verifier = createLaunchVerifier({ issuer: ISSUER, audience: AUDIENCE, fetch, now });
const web = createWebVerifier({ issuer: ISSUER, audience: AUDIENCE, fetch, now });
const policy = { issuer: ISSUER, audience: AUDIENCE, leeway: 30, now };
beforeAll(() => Promise.all([verifier.hydrate(), web.hydrate()]));

const good = mint(key);
const [head = '', body = '', signature = ''] = good.split('.');
const goodHeader = JSON.stringify(header(key));
const goodPayload = JSON.stringify(claims());

/** Texts that are almost JSON: valid JSON with pieces removed, doubled and inserted. */
const mangled = (text: string): fc.Arbitrary<string> =>
  fc
    .array(fc.tuple(fc.nat(text.length), fc.nat(20), fc.oneof(piece, fc.string({ maxLength: 5, unit: 'binary' }))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((cuts) => cuts.reduce((all, [at, length, put]) => all.slice(0, at) + put + all.slice(at + length), text));
const piece = fc.constantFrom(
  '"',
  '\\',
  '\\u',
  '\\ud800',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  'null',
  '1e999',
  '-0',
  '"iss":1,',
  '"alg":"none",',
  '__proto__',
  '\0',
  '\ufeff',
  ' ',
);
const segment = (part: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constant(part) },
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[A-Za-z0-9_-]{0,40}$/),
    fc.uint8Array().map(encode),
    mangled(part),
    mangled(Buffer.from(part, 'base64url').toString()).map(encode),
    fc.json().map(encode),
  );
const anyToken = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(segment(head), segment(body), segment(signature)).map((parts) => parts.join('.')) },
  { weight: 3, arbitrary: mangled(good) },
  fc.string({ unit: 'binary', size: 'large' }),
  fc.anything(),
);

/** Returns the error of a call, which must be of this package's class; undefined if it throws nothing. */
function refusalOf(call: () => unknown): LaunchTokenError | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof LaunchTokenError)) throw error;
    return error;
  }
}

test('no token made without the key is accepted or causes another error', LONG, () => {
  fc.assert(
    fc.property(anyToken, (token) => {
      fc.pre(token !== good);
      expect(refusalOf(() => verifier.verifySync(token))).toBeDefined();
    }),
    settings,
  );
});

test('Node and WebCrypto refuse it with the same code', LONG, async () => {
  const property = fc.asyncProperty(anyToken, async (token) => {
    expect(await outcomeOf(() => web.verify(token))).toEqual(await outcomeOf(() => verifier.verify(token)));
  });
  await fc.assert(property, signed);
});

test('every header that is accepted is strict JSON with RS256 and a kid, and without refused parameters', LONG, () => {
  const anyHeader = fc.oneof(
    mangled(goodHeader),
    fc.json(),
    fc
      .record(
        {
          alg: fc.oneof(
            { weight: 8, arbitrary: fc.constant('RS256') },
            fc.constantFrom('none', 'HS256'),
            fc.jsonValue(),
          ),
          typ: fc.oneof(fc.constant('JWT'), fc.jsonValue()),
          kid: fc.oneof(fc.string({ minLength: 1 }), fc.jsonValue()),
          crit: fc.jsonValue(),
          jwk: fc.jsonValue(),
        },
        { requiredKeys: [] },
      )
      .map((value) => JSON.stringify(value)),
  );
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(anyHeader.map(encode), fc.uint8Array().map(encode), segment(head)), (first) => {
      const token = `${first}.${body}.${signature}`;
      if (refusalOf(() => createTokenReader(webCodec)(token))) return;
      read += 1;
      const value = JSON.parse(Buffer.from(first, 'base64url').toString());
      expect(Buffer.from(first, 'base64url').toString('base64url')).toBe(first);
      expect(value).toMatchObject({ alg: 'RS256', kid: expect.any(String) });
      expect(value.kid).not.toBe('');
      expect([undefined, 'JWT']).toContain(value.typ);
      for (const name of ['crit', 'jwk', 'jku', 'x5u', 'zip']) expect(value).not.toHaveProperty(name);
    }),
    settings,
  );
  expect(read).toBeGreaterThan(0);
});

test('every payload that is accepted has claims with the types and values of the specification', LONG, () => {
  const text = fc.oneof({ weight: 6, arbitrary: fc.string({ minLength: 1 }) }, fc.jsonValue());
  const time = (good: number): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 6, arbitrary: fc.integer({ min: good - 60, max: good + 60 }) }, fc.double(), fc.jsonValue());
  const group = fc.record({ id: text, name: text, isOwner: fc.oneof(fc.boolean(), fc.jsonValue()) });
  const record = fc.record(
    {
      iss: fc.oneof({ weight: 9, arbitrary: fc.constant(ISSUER) }, text),
      aud: fc.oneof({ weight: 9, arbitrary: fc.constant(AUDIENCE) }, text),
      iat: time(T),
      exp: time(T + 900),
      tenant: text,
      client: text,
      user: text,
      role: text,
      entitlements: fc.oneof({ weight: 6, arbitrary: fc.array(fc.string({ minLength: 1 })) }, fc.jsonValue()),
      groupId: text,
      groupMemberships: fc.oneof({ weight: 6, arbitrary: fc.array(group) }, fc.jsonValue()),
      nbf: time(T),
    },
    { requiredKeys: ['iss', 'aud', 'iat', 'exp', 'tenant', 'client', 'user', 'role', 'entitlements'] },
  );
  const anyPayload = fc.oneof(
    { weight: 4, arbitrary: record.map((value) => Buffer.from(JSON.stringify(value))) },
    mangled(goodPayload).map((value) => Buffer.from(value)),
    fc.json().map((value) => Buffer.from(value)),
    fc.uint8Array(),
  );
  let read = 0;
  fc.assert(
    fc.property(anyPayload, (payload) => {
      let said: ReturnType<typeof readClaims> | undefined;
      if (refusalOf(() => (said = readClaims(payload, policy)))) return;
      read += 1;
      const { iat = 0, exp = 0 } = said ?? {};
      expect(said).toMatchObject({ iss: ISSUER, aud: AUDIENCE });
      for (const name of ['tenant', 'client', 'user', 'role'] as const) expect(said?.[name]).toMatch(/./s);
      for (const each of said?.entitlements ?? ['']) expect(each).not.toBe('');
      for (const each of said?.groupMemberships ?? []) {
        expect(each).toStrictEqual({ id: expect.any(String), name: expect.any(String), isOwner: expect.any(Boolean) });
      }
      expect([iat, exp].every(Number.isSafeInteger)).toBe(true);
      expect(iat <= T + 30 && exp > T - 30 && exp > iat && exp - iat <= 3600).toBe(true);
    }),
    settings,
  );
  expect(read).toBeGreaterThan(0);
});

test('a signed payload is accepted or refused alike by Node and WebCrypto', LONG, async () => {
  const property = fc.asyncProperty(fc.oneof(mangled(goodPayload).map(encode), segment(body)), async (payload) => {
    const token = signParts(key, head, payload);
    const outcome = await outcomeOf(() => verifier.verify(token));
    expect(await outcomeOf(() => web.verify(token))).toEqual(outcome);
    if (outcome.code === 'ok')
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ iss: ISSUER });
  });
  await fc.assert(property, signed);
});

test('base64url is decoded as by the platform, or refused if the platform would spell it differently', LONG, () => {
  const text = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_-]*$/), fc.string({ unit: 'binary' }), fc.base64String());
  fc.assert(
    fc.property(text, (each) => {
      const bytes = Buffer.from(each, 'base64url');
      const canonical = bytes.toString('base64url') === each;
      expect(decodeBase64url(each)).toEqual(canonical ? new Uint8Array(bytes) : undefined);
      expect(nodeCodec.decodeBase64url(each)).toEqual(canonical ? bytes : undefined);
    }),
    settings,
  );
});

test('JSON is read as by the platform; a duplicate member or an escaped name is found at any position', LONG, () => {
  const name = fc.oneof(fc.constantFrom('a', 'b', '', '__proto__', ':', '":"', '\\', 'é'), fc.string({ maxLength: 3 }));
  const space = fc.constantFrom('', ' ', '\n', '\t\r');
  const { tree } = fc.letrec<{ tree: Written; object: Written; array: Written; leaf: Written }>((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, tie('leaf'), tie('object'), tie('array')),
    leaf: fc.jsonValue({ maxDepth: 0 }).map((value): Written => ({ text: JSON.stringify(value), odd: false })),
    array: fc.array(tie('tree'), { maxLength: 3 }).map(
      (items): Written => ({
        text: `[${items.map(({ text }) => text).join(' ,')}]`,
        odd: items.some(({ odd }) => odd),
      }),
    ),
    object: fc.array(fc.tuple(name, tie('tree'), fc.nat(9), space), { maxLength: 4 }).map(writeObject),
  }));
  const object = fc.array(fc.tuple(name, tree, fc.nat(9), space), { maxLength: 4 }).map(writeObject);
  let odd = 0;
  fc.assert(
    fc.property(object, (written) => {
      const parse = (): unknown =>
        parseJsonObject(Buffer.from(written.text), (why) => new LaunchTokenError('PAYLOAD_INVALID', why));
      if (written.odd) {
        odd += 1;
        expect(refusalOf(parse)?.code).toBe('PAYLOAD_INVALID');
      } else expect(parse()).toEqual(JSON.parse(written.text));
    }),
    settings,
  );
  expect(odd).toBeGreaterThan(0);
  expect(odd).toBeLessThan(RUNS);
});

test('any key set is read, or refused with an error that names it', LONG, () => {
  const keySet = JSON.stringify({ keys: [key.jwk, { ...key.jwk, kid: 'key_2' }] });
  const named = /^The key set is not usable\./;
  fc.assert(
    fc.property(fc.oneof(mangled(keySet), fc.json(), fc.string()), (text) => {
      try {
        for (const { kid, n, e } of readKeySet(text))
          expect([typeof kid, typeof n, typeof e]).toEqual(['string', 'string', 'string']);
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringMatching(named) });
      }
    }),
    settings,
  );
});

interface Written {
  readonly text: string;
  /** True if a member is repeated, or its name contains escapes. */
  readonly odd: boolean;
}

/** Writes an object with the members in order; one name in ten is escaped. */
function writeObject(members: readonly (readonly [string, Written, number, string])[]): Written {
  const parts = members.map(([name, value, die, gap]) => {
    const letters = [...Array(name.length).keys()].map((at) => name.charCodeAt(at).toString(16).padStart(4, '0'));
    const spelled = die === 0 ? `"${letters.map((digits) => `\\u${digits}`).join('')}"` : JSON.stringify(name);
    return { text: `${gap}${spelled}${gap}:${gap}${value.text}${gap}`, odd: spelled.includes('\\') || value.odd };
  });
  return {
    text: `{${parts.map(({ text }) => text).join(',')}}`,
    odd: new Set(members.map(([name]) => name)).size < members.length || parts.some(({ odd }) => odd),
  };
}
