import { type GrantStore, grantsTableSql, type ListedGrant, OAuth, redisStore, sqlStore } from '@plat/sdk/oauth';
import type { TestApp } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { decideConsent } from '../support/consent.ts';
import { hasRedis, type Redis, startRedis } from '../support/redis.ts';
import { connectRedis } from '../support/redis-client.ts';
import { sqlPlaces } from '../support/sql-places.ts';
import { openQuery } from '../support/sql-query.ts';
import { useServer } from '../support/story.ts';

/* The stores of grants on real databases: the contract of a store, and the grants of a real app in them. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });

interface OpenStore {
  readonly store: GrantStore;
  close(): Promise<void>;
}

const places: [string, () => Promise<OpenStore>][] = sqlPlaces(story).map(([name, place]) => [
  name,
  async () => {
    const { query, dialect, close } = openQuery(await place());
    const table = 'app_grants';
    for (let round = 0; round < 2; round++) await query(grantsTableSql(dialect, table), []);
    return { store: sqlStore({ query, dialect, table }), close };
  },
]);
if (inject('database').kind === 'sqlite' && hasRedis()) {
  let server: Redis | undefined;
  places.push([
    'Redis',
    async () => {
      server ??= await startRedis();
      const redis = await connectRedis(server.url);
      const store = redisStore({ command: (...words) => redis.call(...words) });
      return { store, close: async () => redis.close() };
    },
  ]);
  afterAll(() => server?.stop());
}

describe.each(places)('the store of grants in %s', (_, place) => {
  let open: OpenStore;
  let app: TestApp;
  beforeAll(async () => {
    open = await place();
    app = await story.server.createApp();
  });
  afterAll(() => open.close());

  const listed = async (store: GrantStore) => {
    const keys: string[] = [];
    for (let after: string | null = null; ; ) {
      const part: readonly ListedGrant[] = (await store.list?.({ after, limit: 7 })) ?? [];
      keys.push(...part.map(({ key }) => key));
      after = part.at(-1)?.key ?? null;
      if (part.length < 7 || after === null) return keys;
    }
  };

  test('accepts one of many writers over the same version, returns what was stored, and lists every key once', async () => {
    const { store } = open;
    expect(await store.get('ten_1')).toBeNull();
    expect(await listed(store)).toEqual([]);
    expect(await store.compareAndSet('ten_1', 7, { version: 8, value: 'x' })).toBe(false);
    for (const expected of [null, 1_790_000_000_000]) {
      const writes = Array.from({ length: 20 }, (_unused, i) =>
        store.compareAndSet('ten_1', expected, {
          version: 1_790_000_000_000 + (expected === null ? 0 : 1 + i),
          value: `é${i}`,
        }),
      );
      expect((await Promise.all(writes)).filter(Boolean)).toHaveLength(1);
    }
    const stored = await store.get('ten_1');
    expect(stored).toEqual({ version: expect.any(Number), value: expect.stringMatching(/^é\d+$/) });
    expect(await store.get('TEN_1')).toBeNull();

    const keys = Array.from({ length: 20 }, (_unused, i) => `acc/${i}`);
    for (const key of keys) await store.compareAndSet(key, null, { version: 1, value: key });
    expect([...(await listed(store))].sort()).toEqual([...keys, 'ten_1'].sort());
    expect(await store.list?.({ after: null, limit: 100 })).toContainEqual({ key: 'ten_1', ...stored });
  });

  test('keeps the grants of an app: connected, listed, imported, connected again, revoked', async () => {
    const { appId: clientId, clientSecret, redirectUri } = app;
    const settings = { baseUrl: story.server.baseUrl, clientId, clientSecret, redirectUri };
    const oauth = new OAuth({ ...settings, store: prefixed(open.store, `${app.appId}/`) });
    const tenant = await story.server.createTenant();
    const owner = await story.server.signInAdmin(tenant.ownerId);
    const consent = async () => {
      const pending = await oauth.authorizationUrl({ scopes: ['clients:read', 'me:read'] });
      return [await decideConsent(pending.url, owner), pending] as const;
    };
    const { key } = await oauth.exchange(...(await consent()));
    expect(key).toBe(tenant.tenantId);
    await oauth.actingFor(key).clients.list();

    const elsewhere = await story.server.createTenant();
    const { tokens } = await story.server.grantTokens({ app, tenantId: elsewhere.tenantId });
    const pair = { refreshToken: tokens.refresh_token, accessToken: tokens.access_token };
    const imported = await oauth.grants.import({ ...pair, key: 'imported' });
    expect(imported).toMatchObject({ tenantId: elsewhere.tenantId, userId: elsewhere.ownerId, status: 'connected' });
    expect(await oauth.grants.import({ ...pair, key: 'imported' })).toEqual(imported);
    await oauth.actingFor('imported').me.get();

    const before = await oauth.credential(key).get();
    await oauth.reconnect(...(await consent()), { key });
    expectRefusal(await apiOf(story.server.baseUrl, before.value)('/v1/me'), 'INVALID_TOKEN');
    await oauth.actingFor(key).clients.list();
    await oauth.revoke('imported');
    const all: [string, string][] = [];
    for await (const grant of oauth.grants.list()) all.push([grant.key, grant.status]);
    expect(all.sort()).toEqual(
      [
        [key, 'connected'],
        ['imported', 'ended'],
      ].sort(),
    );
    oauth.close();
  });
});

/** A part of a store, so that a test does not see the grants of others. */
function prefixed(store: GrantStore, prefix: string): GrantStore {
  return {
    get: (key) => store.get(prefix + key),
    compareAndSet: (key, expected, next) => store.compareAndSet(prefix + key, expected, next),
    list: async ({ after, limit }) =>
      ((await store.list?.({ after: after === null ? prefix : prefix + after, limit })) ?? [])
        .filter(({ key }) => key.startsWith(prefix))
        .map(({ key, ...rest }) => ({ key: key.slice(prefix.length), ...rest })),
  };
}
