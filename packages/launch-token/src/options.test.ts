import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { requireEntitlement } from './entitlement.ts';
import { LAUNCH_TOKEN_CODES, LaunchTokenError } from './errors.ts';
import { AUDIENCE, claims, createSigningKey, ISSUER, jwksOf, mint, now, T } from './issuer.fixture.ts';
import { outcomeOf } from './outcome.fixture.ts';
import { createLaunchVerifier } from './verifier.ts';
import { createLaunchVerifier as createWebVerifier } from './web-verifier.ts';

const key = createSigningKey('key_1');
const fetch = async (): Promise<Response> =>
  new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } });
const good = { issuer: ISSUER, audience: AUDIENCE, fetch, now };
const makers = [createLaunchVerifier, createWebVerifier];
const codeOf = async (call: () => unknown): Promise<string> => (await outcomeOf(call)).code;

describe('an invalid option is refused at the creation of the verifier', () => {
  test.each<[string, Record<string, unknown>]>([
    ['no issuer', { issuer: undefined }],
    ['an empty issuer', { issuer: '' }],
    ['an issuer that is no URL, without jwksUri', { issuer: 'platform' }],
    ['no audience', { audience: undefined }],
    ['an empty audience', { audience: '' }],
    ['several audiences', { audience: [AUDIENCE] }],
    ['a leeway below 0', { leewaySeconds: -1 }],
    ['a leeway above 300', { leewaySeconds: 301 }],
    ['a leeway of NaN', { leewaySeconds: Number.NaN }],
    ['a leeway in words', { leewaySeconds: '30' }],
    ['a relative jwksUri', { jwksUri: '/jwks.json' }],
    ['plain http beyond this host', { jwksUri: 'http://platform.example.com/jwks.json' }],
    ['a host that looks like this one', { jwksUri: 'http://127.0.0.1.example.com/jwks.json' }],
    ['a file', { jwksUri: 'file:///jwks.json', allowHttp: true }],
    ['a jwksUri with a user name', { jwksUri: 'https://a@platform.example.com/jwks.json' }],
    ['a jwksUri with a password alone', { jwksUri: 'https://:b@platform.example.com/jwks.json' }],
    ['a jwksUri with a password', { jwksUri: 'https://a:b@platform.example.com/jwks.json' }],
    ['a fetch that is no function', { fetch: 'fetch' }],
    ['a cache without store', { cache: { load: () => undefined } }],
    ['a cache of null', { cache: null }],
    ['a clock that is no function', { now: 0 }],
  ])('%s', async (_, wrong) => {
    for (const make of makers) {
      expect(await codeOf(() => Reflect.apply(make, undefined, [{ ...good, ...wrong }]))).toBe('OPTION_INVALID');
    }
  });
});

test.each([
  ['https://platform.example.com', undefined, 'https://platform.example.com/.well-known/jwks.json'],
  ['https://example.com/platform/', undefined, 'https://example.com/platform/.well-known/jwks.json'],
  ['platform', new URL('https://example.com/keys'), 'https://example.com/keys'],
  ['platform', 'http://localhost:4010/keys', 'http://localhost:4010/keys'],
  ['platform', 'http://127.0.0.1:4010/keys', 'http://127.0.0.1:4010/keys'],
  ['platform', 'http://[::1]:4010/keys', 'http://[::1]:4010/keys'],
])('issuer %s with jwksUri %s fetches %s', async (issuer, jwksUri, expected) => {
  const asked: string[] = [];
  const spy = async (url: string): Promise<Response> => {
    asked.push(url);
    return fetch();
  };
  for (const make of makers) await make({ ...good, issuer, jwksUri, fetch: spy }).hydrate();
  expect(asked).toEqual([expected, expected]);
});

test('plain http to another host is accepted with allowHttp', async () => {
  await createLaunchVerifier({ ...good, jwksUri: 'http://platform:4010/jwks.json', allowHttp: true }).hydrate();
});

test('the leeway applies at both ends, and does not extend the lifetime', async () => {
  const outcomes = async (leewaySeconds: number, times: object): Promise<string[]> =>
    Promise.all(
      makers.map((make) =>
        codeOf(() => make({ ...good, leewaySeconds }).verify(mint(key, { claims: claims({ ...times }) }))),
      ),
    );
  for (const leeway of [0, 1, 300]) {
    expect(await outcomes(leeway, { exp: T - leeway + 1, iat: T - 900 })).toEqual(['ok', 'ok']);
    expect(await outcomes(leeway, { exp: T - leeway, iat: T - 900 })).toEqual(['TOKEN_EXPIRED', 'TOKEN_EXPIRED']);
    expect(await outcomes(leeway, { iat: T + leeway })).toEqual(['ok', 'ok']);
    expect(await outcomes(leeway, { iat: T + leeway + 1 })).toEqual(['TOKEN_NOT_YET_VALID', 'TOKEN_NOT_YET_VALID']);
    expect(await outcomes(leeway, { iat: T, exp: T + 3601 })).toEqual(['LIFETIME_INVALID', 'LIFETIME_INVALID']);
  }
});

test('time is compared in whole seconds: a token is valid to the end of its last second', async () => {
  const token = mint(key, { claims: claims({ iat: T - 900, exp: T + 1 }) });
  const at = (ms: number): Promise<string> =>
    codeOf(() => createLaunchVerifier({ ...good, leewaySeconds: 0, now: () => ms }).verify(token));
  expect([await at(T * 1000 + 999), await at(T * 1000 + 1000)]).toEqual(['ok', 'TOKEN_EXPIRED']);
});

test('a clock that returns no number accepts no token', async () => {
  for (const moment of [Number.NaN, Number.POSITIVE_INFINITY, Reflect.get({}, 'nothing')]) {
    expect(await codeOf(() => createLaunchVerifier({ ...good, now: () => moment }))).toBe('OPTION_INVALID');
  }
  let moment = T * 1000;
  const verifier = createLaunchVerifier({ ...good, now: () => moment });
  await verifier.hydrate();
  moment = Number.NaN;
  expect(await codeOf(() => verifier.verify(mint(key)))).toBe('OPTION_INVALID');
});

describe('requireEntitlement', () => {
  test('accepts a capability that is among the entitlements', () => {
    requireEntitlement({ entitlements: ['analytics.export', 'analytics.view'] }, 'analytics.view');
  });

  test.each(['analytics', 'analytics.view ', 'Analytics.view', 'analytics.*', 'length', '0'])(
    'refuses %s with 403 NOT_ENTITLED',
    (capability) => {
      expect(() => requireEntitlement({ entitlements: ['analytics.view'] }, capability)).toThrow(
        expect.objectContaining({ code: 'NOT_ENTITLED', status: 403, message: expect.stringContaining(capability) }),
      );
    },
  );

  test('refuses an empty capability', () => {
    for (const nothing of ['', undefined, null]) {
      expect(() => Reflect.apply(requireEntitlement, undefined, [{ entitlements: [] }, nothing])).toThrow(
        expect.objectContaining({ code: 'OPTION_INVALID' }),
      );
    }
  });
});

test('an error has code, status and hint in its logged form', () => {
  const error = new LaunchTokenError('TOKEN_EXPIRED', 'It ended 31 s ago.');
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'LaunchTokenError',
    code: 'TOKEN_EXPIRED',
    status: 401,
    message: 'The launch token has expired. It ended 31 s ago.',
    hint: 'It ended 31 s ago.',
  });
});

test('the README lists every code with its status', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = [...readme.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (\d{3}) \|/gm)].flatMap(([, codes = '', status]) =>
    [...codes.matchAll(/[A-Z_]+/g)].map(([code]) => [code, Number(status)]),
  );
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(LAUNCH_TOKEN_CODES).map(([code, { status }]) => [code, status])),
  );
});

test('the WebCrypto entry imports no module of Node', async () => {
  const visited = new Set<string>();
  const visit = async (url: URL): Promise<void> => {
    if (visited.has(url.href)) return;
    visited.add(url.href);
    const source = await readFile(url, 'utf8');
    expect(source, url.pathname).not.toMatch(
      /^(?:import|export) (?!type )[^']*'node:|import\('node:|\bBuffer\b|\bprocess\./m,
    );
    for (const [, path = ''] of source.matchAll(/^(?:import|export) (?!type ).*? from '(\.[^']+)'/gms)) {
      await visit(new URL(path, url));
    }
  };
  for (const entry of ['./web-crypto.ts', './worker.ts', './adapters/web.ts', './adapters/hono.ts'])
    await visit(new URL(entry, import.meta.url));
  expect(visited.size).toBeGreaterThan(12);
});
