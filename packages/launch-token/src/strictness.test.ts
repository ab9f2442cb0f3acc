import { inspect } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { LAUNCH_TOKEN_CODES, LaunchTokenError } from './errors.ts';
import { type Flawed, flawsOf, unusualTokens } from './flaws.fixture.ts';
import { AUDIENCE, claims, createSigningKey, ISSUER, jwksOf, mint, now } from './issuer.fixture.ts';
import { outcomeOf } from './outcome.fixture.ts';
import { createLaunchVerifier } from './verifier.ts';
import { createLaunchVerifier as createWebVerifier } from './web-verifier.ts';

const key = createSigningKey('key_1');
const stranger = createSigningKey('key_1');
const fetch = async (): Promise<Response> =>
  new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } });
const options = { issuer: ISSUER, audience: AUDIENCE, fetch, now };
const node = createLaunchVerifier(options);
const pooled = createLaunchVerifier({ ...options, pooled: true });
const web = createWebVerifier(options);
const ways = {
  verify: node.verify,
  verifySync: node.verifySync,
  'verify, pooled': pooled.verify,
  'verify by WebCrypto': web.verify,
} as const;

beforeAll(async () => {
  for (const verifier of [node, pooled, web]) await verifier.hydrate();
});

const flaws = flawsOf(key, stranger);
const titles = flaws.map(({ title, code }): [string, string] => [title, code]);

describe('a token that', () => {
  test.each(titles)('%s is refused with %s by every verifier', async (title) => {
    const flaw = flaws.find((each) => each.title === title);
    expect(flaw).toBeDefined();
    for (const [way, verify] of Object.entries(ways)) {
      expect((await outcomeOf(() => verify(flaw?.token))).code, way).toBe(flaw?.code);
    }
    await expectSame(flaw?.token);
  });
});

describe('a token', () => {
  test.each(unusualTokens(key).map(({ title, token }): [string, string] => [title, token]))(
    '%s is accepted by every verifier',
    async (_, token) => {
      for (const verify of Object.values(ways)) expect((await outcomeOf(() => verify(token))).code).toBe('ok');
      await expectSame(token);
    },
  );
});

test('an accepted token returns its claims as a plain object with nothing else', async () => {
  const token = mint(key, {
    claims: claims({ extra: 1, groupMemberships: [{ id: 'grp_1', name: 'N', isOwner: true, more: 1 }] }),
  });
  const expected = claims({ groupMemberships: [{ id: 'grp_1', name: 'N', isOwner: true }] });
  for (const verify of Object.values(ways)) expect(await verify(token)).toStrictEqual(expected);
});

test('the titles of the flaws are unique, and the flaws reach every code of a token', () => {
  expect(new Set(flaws.map(({ title }) => title)).size).toBe(flaws.length);
  const guard = ['TOKEN_REPLAYED', 'JTI_MISSING', 'GUARD_UNAVAILABLE'];
  const others = ['TOKEN_REPEATED', 'NOT_ENTITLED', 'BODY_TOO_LARGE', 'KEYS_UNAVAILABLE', ...guard, 'OPTION_INVALID'];
  const reached = new Set<string>(flaws.map(({ code }) => code));
  expect(Object.keys(LAUNCH_TOKEN_CODES).filter((code) => !reached.has(code))).toEqual(others);
});

test('no printed form of an error shows a part of a token', async () => {
  const shown = (error: unknown): string =>
    [String(error), JSON.stringify(error), inspect(error, { depth: 9, showHidden: true })].join('\n');
  for (const { token, title } of flaws) {
    if (typeof token !== 'string' || token.length < 20) continue;
    for (const verify of [node.verifySync, web.verify]) {
      const error = await errorOf(() => verify(token));
      expect(error, title).toBeInstanceOf(LaunchTokenError);
      for (const secret of secretsOf(token))
        expect(shown(error).includes(secret), `${title}: ${secret.slice(0, 30)}`).toBe(false);
    }
  }
});

/**
 * Returns the texts that must not be shown: each part as sent and decoded, and every quoted text in it, except for
 * words of the messages.
 */
function secretsOf(token: string): string[] {
  const decoded = token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const quoted = decoded.slice(0, 2).flatMap((text) => text.match(/[\w.:/-]{9,}/g) ?? []);
  const own = [ISSUER, AUDIENCE, 'entitlements must be an array', 'groupMemberships must be an array'];
  return [...token.split('.'), ...decoded, ...quoted].filter(
    (text) => text.length > 8 && !own.some((words) => words.includes(text)),
  );
}

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Checks that Node and WebCrypto return the same outcome, including the message. */
async function expectSame(token: Flawed['token']): Promise<void> {
  const expected = await outcomeOf(() => node.verify(token));
  for (const verify of Object.values(ways)) expect(await outcomeOf(() => verify(token))).toEqual(expected);
}
