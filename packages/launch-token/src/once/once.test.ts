import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test, vi } from 'vitest';
import { expressLaunch } from '../adapters/express.ts';
import { fastifyLaunch } from '../adapters/fastify.ts';
import { honoLaunch } from '../adapters/hono.ts';
import { launchHandler } from '../adapters/web.ts';
import { AUDIENCE, claims, createSigningKey, ISSUER, jwksOf, mint, now, T } from '../issuer.fixture.ts';
import { outcomeOf } from '../outcome.fixture.ts';
import { createLaunchVerifier } from '../verifier.ts';
import { createLaunchVerifier as createWebVerifier } from '../web-verifier.ts';
import {
  createOneTimeGuard,
  memoryOneTimeStore,
  redisOneTimeStore,
  sqlOneTimeStore,
  usedTokensTableSql,
} from './index.ts';

const key = createSigningKey('key_1');
const fetch = async (): Promise<Response> =>
  new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } });
const good = { issuer: ISSUER, audience: AUDIENCE, fetch, now };
const token = (others: object = {}): string => mint(key, { claims: claims({ jti: 'jti_1', ...others }) });
const codeOf = async (call: () => unknown): Promise<string> => (await outcomeOf(call)).code;

/** Creates a store over SQLite as an app would, with the clock of the test. */
function sqliteStore(clock: { at: number }) {
  const database = new DatabaseSync(':memory:');
  database.exec(usedTokensTableSql('sqlite'));
  const store = sqlOneTimeStore({
    dialect: 'sqlite',
    now: () => clock.at,
    query: (sql, values) => {
      const statement = database.prepare(sql);
      return sql.startsWith('SELECT') ? statement.all(...values) : statement.run(...values);
    },
  });
  const count = () => database.prepare('SELECT COUNT(*) AS n FROM plat_used_launch_tokens').get()?.['n'];
  return { store, count };
}

describe.each([
  ['Node', createLaunchVerifier],
  ['WebCrypto', createWebVerifier],
])('a verifier on %s', (_, make) => {
  test('with a guard accepts a token once, also among many at the same time', async () => {
    const verifier = make({ ...good, once: createOneTimeGuard({ now }) });
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(() => verifier.verify(token()))));
    expect(codes.toSorted()).toEqual([...Array(19).fill('TOKEN_REPLAYED'), 'ok']);
    expect(await codeOf(() => verifier.verify(token({ jti: 'jti_2' })))).toBe('ok');
  });

  test('with a guard refuses a token without an id; without a guard it accepts it repeatedly', async () => {
    const guarded = make({ ...good, once: createOneTimeGuard({ now }) });
    expect(await codeOf(() => guarded.verify(token({ jti: undefined })))).toBe('JTI_MISSING');
    const open = make(good);
    for (let round = 0; round < 2; round++) {
      expect(await codeOf(() => open.verify(token({ jti: undefined })))).toBe('ok');
      expect((await open.verify(token())).jti).toBe('jti_1');
    }
  });

  test('does not use up a token that it refuses', async () => {
    const claim = vi.fn(() => 'claimed');
    const verifier = make({ ...good, once: createOneTimeGuard({ store: { claim }, now }) });
    const [head, , signature] = token().split('.');
    const forged = `${head}.${Buffer.from(JSON.stringify(claims({ jti: 'jti_1', role: 'owner' }))).toString('base64url')}.${signature}`;
    for (const refused of [forged, token({ exp: T - 100, iat: T - 900 }), token({ aud: 'other' })]) {
      expect(await codeOf(() => verifier.verify(refused))).not.toBe('ok');
    }
    expect(claim).not.toHaveBeenCalled();
  });

  test('refuses every token while the store fails', async () => {
    const store = { claim: () => Promise.reject(new Error('database down')) };
    const verifier = make({ ...good, once: createOneTimeGuard({ store, now }) });
    const error = await verifier.verify(token()).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'GUARD_UNAVAILABLE', status: 503, cause: { message: 'database down' } });
  });

  test.each([5, '', ['a'], null])('refuses a jti of %j', async (jti) => {
    expect(await codeOf(() => make(good).verify(token({ jti })))).toBe('CLAIM_INVALID');
  });

  test.each<[string, unknown, RegExp]>([
    ['nothing', undefined, /createLaunchVerifier needs an object with options/],
    ['null', null, /needs an object with options/],
    ['jwksUrl', { ...good, jwksUrl: 'x' }, /jwksUrl is not an option; did you mean jwksUri\?/],
    ['clockTolerance', { ...good, clockTolerance: 5 }, /did you mean leewaySeconds\?/],
    ['leewaySeconds in milliseconds', { ...good, leewaySeconds: 30_000 }, /seconds and not in milliseconds/],
    ['a store in place of the guard', { ...good, once: memoryOneTimeStore() }, /createOneTimeGuard\(\)/],
  ])('created with %s throws an error of this package', async (_title, options, message) => {
    const call = () => Reflect.apply(make, undefined, options === undefined ? [] : [options]);
    expect(await outcomeOf(call)).toMatchObject({ code: 'OPTION_INVALID', message: expect.stringMatching(message) });
  });
});

test('verifySync cannot call a guard, and refuses without using up the token', async () => {
  const claim = vi.fn(() => 'claimed');
  const verifier = createLaunchVerifier({ ...good, once: createOneTimeGuard({ store: { claim }, now }) });
  await verifier.hydrate();
  expect(await codeOf(() => verifier.verifySync(token()))).toBe('OPTION_INVALID');
  expect(claim).not.toHaveBeenCalled();
});

test('a launch without the entitlement does not use up its token; a used token gets 401', async () => {
  const once = createOneTimeGuard({ now });
  const post = (entitlement: string) => {
    const handler = launchHandler({ ...good, once, entitlement, onError: () => undefined }, () => new Response('in'));
    const body = new URLSearchParams({ launch_token: token() });
    return handler(new Request('http://localhost/launch', { method: 'POST', body }));
  };
  expect((await post('analytics.other')).status).toBe(403);
  expect((await post('analytics.view')).status).toBe(200);
  const replayed = await post('analytics.view');
  expect(replayed.status).toBe(401);
  expect(await replayed.json()).toEqual({ code: 'INVALID_TOKEN', message: 'The launch token was used before.' });
});

test('adapters without options, or with an unknown option, throw an error of this package', async () => {
  for (const adapter of [expressLaunch, fastifyLaunch, honoLaunch, launchHandler]) {
    for (const options of [undefined, { ...good, iss: 'x' }]) {
      expect(await codeOf(() => Reflect.apply(adapter, undefined, [options, () => undefined]))).toBe('OPTION_INVALID');
    }
  }
});

test('the same id of two issuers or audiences counts as two tokens', async () => {
  const guard = createOneTimeGuard({ now });
  const used = { iss: 'a', aud: 'b', jti: 'c', exp: T + 60 };
  for (const other of [used, { ...used, iss: 'a2' }, { ...used, aud: 'b2' }, { ...used, iss: 'a","b', aud: '' }]) {
    expect(await codeOf(() => guard.use(other))).toBe('ok');
    expect(await codeOf(() => guard.use(other))).toBe('TOKEN_REPLAYED');
  }
});

test('the key in a store has a fixed length, contains nothing of the token, and is kept beyond its expiry', async () => {
  const claim = vi.fn((_claim: { key: string; token: string; leaseSeconds: number }) => 'claimed');
  const guard = createOneTimeGuard({ store: { claim }, now, namespace: 'mine:' });
  await guard.use({ iss: ISSUER, aud: AUDIENCE, jti: 'x'.repeat(5000), exp: T + 900 });
  await guard.use({ iss: ISSUER, aud: AUDIENCE, jti: 'y', exp: T - 20 });
  expect(claim.mock.calls.map(([{ key: name, leaseSeconds }]) => [name, leaseSeconds])).toEqual([
    [expect.stringMatching(/^mine:[0-9a-f]{64}$/), 1500],
    [expect.stringMatching(/^mine:[0-9a-f]{64}$/), 600],
  ]);
});

describe('stores', () => {
  const claimOf = (name: string) => ({ key: name, token: 't', leaseSeconds: 60 });

  test('the memory store forgets expired tokens, and at its limit refuses new ones', async () => {
    const clock = { at: 0 };
    const store = memoryOneTimeStore({ maxEntries: 2, now: () => clock.at });
    expect([store.claim(claimOf('a')), store.claim(claimOf('b')), store.claim(claimOf('a'))]).toEqual([
      'claimed',
      'claimed',
      'taken',
    ]);
    expect(() => store.claim(claimOf('c'))).toThrow(/remembered already/);
    // Expired keys are removed every 10 s; these have not expired.
    clock.at = 10_000;
    expect([store.claim(claimOf('a')), store.claim(claimOf('b'))]).toEqual(['taken', 'taken']);
    clock.at = 60_000;
    expect([store.claim(claimOf('c')), store.claim(claimOf('a')), store.claim(claimOf('a'))]).toEqual([
      'claimed',
      'claimed',
      'taken',
    ]);
  });

  test('the SQL store claims a key once, and deletes rows an hour after their expiry', async () => {
    const clock = { at: T * 1000 };
    const { store, count } = sqliteStore(clock);
    expect(await store.claim(claimOf('a'))).toBe('claimed');
    expect(await store.claim({ ...claimOf('a'), token: 'another' })).toBe('taken');
    clock.at += 3_600_000;
    expect(await store.claim(claimOf('b'))).toBe('claimed');
    expect(count()).toBe(2);
    clock.at += 661_000;
    expect(await store.claim(claimOf('c'))).toBe('claimed');
    expect(count()).toBe(2);
    for (let i = 0; i < 1_200; i++) await store.claim(claimOf(`many ${i}`));
    clock.at += 5_000_000;
    expect(await store.claim(claimOf('last'))).toBe('claimed');
    expect(count()).toBe(1);
  });

  test('a claim whose response was lost is held, and the next claim of the token is a replay', async () => {
    const database = new DatabaseSync(':memory:');
    database.exec(usedTokensTableSql('sqlite'));
    let isLost = true;
    const store = sqlOneTimeStore({
      dialect: 'sqlite',
      query: (sql, values) => {
        const statement = database.prepare(sql);
        if (sql.startsWith('SELECT')) return statement.all(...values);
        const result = statement.run(...values);
        if (!isLost) return result;
        isLost = false;
        throw new Error('read ECONNRESET');
      },
    });
    const once = createOneTimeGuard({ store });
    const launch = { iss: ISSUER, aud: AUDIENCE, jti: 'jti_1', exp: T + 900 };
    await once.use(launch);
    await expect(once.use(launch)).rejects.toMatchObject({ code: 'TOKEN_REPLAYED' });
  });

  test('the SQL store repeats an INSERT that a concurrent statement failed', async () => {
    // The row of the winner becomes visible after the INSERT has failed, as on a Galera cluster; then a locked file ends.
    const answers = [
      { inserted: Object.assign(new Error('deadlock'), { errno: 1213 }), rows: [] },
      { inserted: new Error('duplicate'), rows: [{ token: 'other' }] },
      { inserted: Object.assign(new Error('locked'), { code: 'SQLITE_BUSY' }), rows: [] },
      { inserted: null, rows: [] },
    ];
    let answer = answers[0];
    const contended = sqlOneTimeStore({
      query: (sql) => {
        if (sql.startsWith('SELECT claim_token')) return answer?.rows;
        if (sql.startsWith('INSERT')) answer = answers.shift();
        if (sql.startsWith('INSERT') && answer?.inserted) throw answer.inserted;
        return [];
      },
    });
    expect(await contended.claim({ key: 'k', token: 'mine', leaseSeconds: 60 })).toBe('taken');
    expect(await contended.claim({ key: 'k2', token: 'mine', leaseSeconds: 60 })).toBe('claimed');
  });

  test('the SQL store rethrows errors other than conflicts, and a failed sweep refuses no launch', async () => {
    const broken = sqlOneTimeStore({
      query: (sql) => (sql.startsWith('SELECT') ? [[], []] : Promise.reject(new Error('gone'))),
    });
    await expect(broken.claim(claimOf('a'))).rejects.toThrow('gone');
    const fail = () => {
      throw new Error('gone');
    };
    for (const failing of [fail, async () => fail()]) {
      const query = (sql: string) => (sql.startsWith('DELETE') ? failing() : [{ id: 'old' }]);
      const cannotDelete = sqlOneTimeStore({ query });
      expect(await cannotDelete.claim(claimOf('a'))).toBe('claimed');
    }
  });

  test('the SQL store reads the result of each driver', async () => {
    for (const rows of [[{ token: 'a' }], [[{ token: 'a' }], []], { rows: [{ token: 'a' }], rowCount: 1 }]) {
      const store = sqlOneTimeStore({
        dialect: 'postgresql',
        query: (sql) => (sql.startsWith('SELECT') ? rows : Promise.reject(new Error('duplicate'))),
      });
      expect(await store.claim(claimOf('a'))).toBe('taken');
    }
  });

  test('rows that are arrays are reported, because a claim whose response was lost would count as a replay', async () => {
    const query = (sql: string) => (sql.startsWith('SELECT') ? [[['t']], []] : Promise.reject(new Error('lost')));
    await expect(sqlOneTimeStore({ query }).claim(claimOf('a'))).rejects.toThrow('no rows array of objects');
  });

  test('the Redis store sends one SET, and accepts no reply but OK', async () => {
    const asked: string[][] = [];
    const answers: unknown[] = ['OK', null, 'another token', Buffer.from('OK'), new Error('READONLY')];
    const store = redisOneTimeStore({
      command: (...words) => {
        asked.push(words);
        return answers.shift();
      },
    });
    const claim = claimOf('a');
    expect(await store.claim(claim)).toBe('claimed');
    expect(await store.claim(claim)).toBe('taken');
    expect(await store.claim(claimOf('b'))).toBe('claimed');
    await expect(store.claim(claimOf('c'))).rejects.toThrow(/did not answer OK/);
    const set = ['SET', 'a', claim.token, 'NX', 'EX', '60'];
    expect(asked.slice(0, 3)).toEqual([set, set, ['GET', 'a']]);
  });

  test('a claim that the Redis client sent again, because the response was lost, is held', async () => {
    let stored = '';
    const store = redisOneTimeStore({
      command(name, _key, value) {
        if (name === 'GET') return Buffer.from(stored);
        // ioredis repeats a command on a new connection: the first one was executed.
        stored ||= String(value);
        return null;
      },
    });
    const once = createOneTimeGuard({ store });
    const launch = { iss: ISSUER, aud: AUDIENCE, jti: 'jti_1', exp: T + 900 };
    await once.use(launch);
    await expect(once.use(launch)).rejects.toMatchObject({ code: 'TOKEN_REPLAYED' });
  });

  test.each<[string, () => unknown]>([
    ['a table that needs quotes', () => sqlOneTimeStore({ query: () => [], table: 'a; DROP' })],
    ['a table that needs quotes, in its DDL', () => usedTokensTableSql('mysql', 'a b')],
    ['an unknown dialect', () => Reflect.apply(sqlOneTimeStore, undefined, [{ query: () => [], dialect: 'oracle' }])],
    ['no query function', () => Reflect.apply(sqlOneTimeStore, undefined, [{}])],
    ['no options', () => Reflect.apply(sqlOneTimeStore, undefined, [])],
    ['a client in place of a command', () => Reflect.apply(redisOneTimeStore, undefined, [{ client: {} }])],
    ['no entries', () => memoryOneTimeStore({ maxEntries: 0 })],
    ['a store without claim', () => Reflect.apply(createOneTimeGuard, undefined, [{ store: {} }])],
    ['a namespace that is none', () => Reflect.apply(createOneTimeGuard, undefined, [{ namespace: 5 }])],
  ])('%s is refused', async (_, call) => {
    expect(await codeOf(call)).toBe('OPTION_INVALID');
  });
});
