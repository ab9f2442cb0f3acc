import { expect, test, vi } from 'vitest';
import { CredentialError } from '../errors/usage-errors.ts';
import { refusal } from '../testing/build.ts';
import { impatientClock } from '../testing/fake-clock.ts';
import { gate, grantScene, KEY, oauthFor, recordOf } from '../testing/grants.ts';
import { encodeRecord } from './grant-record.ts';
import type { GrantStore, StoredGrant } from './grant-store.ts';
import { GrantLockedError, GrantStoreError } from './oauth-errors.ts';
import type { OAuthOptions } from './oauth-options.ts';
import { memoryStore } from './stores/memory-store.ts';

test('inside the lock a newer pair is used, and nothing is sent', async () => {
  let put = async (): Promise<void> => {};
  const store: GrantStore = {
    ...memoryStore(),
    tryLock: async () => {
      await put();
      return { release: async () => {} };
    },
  };
  const onRefreshed = vi.fn();
  const { service, platform, clock } = await grantScene(0, { store, hooks: { onRefreshed } });
  const newer = service.connect();
  put = async () => {
    const record = recordOf(newer, clock.now(), 3600);
    const version = (await store.get(KEY))?.version ?? 0;
    await store.compareAndSet(KEY, version, { version: clock.now(), value: encodeRecord(record) });
  };
  await platform.me.get();
  expect(service.count('/oauth/token')).toBe(0);
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
  expect(onRefreshed).not.toHaveBeenCalled();
});

test('the wait for a lock is limited, and the error names the lock holder', async () => {
  const memory = memoryStore();
  const store: GrantStore = {
    get: memory.get,
    compareAndSet: memory.compareAndSet,
    tryLock: async () => ({ heldBy: 'process 7 on web-1' }),
  };
  const { platform, service, clock } = await grantScene(0, { store, lockTimeout: 1_000 });
  const error = await refusal(platform.me.get(), GrantLockedError);
  expect(error).toMatchObject({ code: 'GRANT_LOCKED', holder: 'process 7 on web-1', key: KEY, retryable: true });
  expect(clock.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(1_200);
  expect(service.received).toHaveLength(0);
});

test('a lock that another process releases in time is waited for', async () => {
  const memory = memoryStore();
  let tries = 0;
  const store: GrantStore = {
    get: memory.get,
    compareAndSet: memory.compareAndSet,
    tryLock: async () => (++tries < 3 ? { heldBy: 'process 7 on web-1' } : { release: async () => {} }),
  };
  const { platform, service, clock } = await grantScene(0, { store, lockTimeout: 1_000 });
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  expect(clock.waits).toEqual([50, 50]);
});

test("without locks the wait for another process's mark is limited, and the error names the process", async () => {
  const mark = { id: 'theirs', by: 'process 8 on web-2', outcome: 'pending' } as const;
  const { platform, store, clock, pair, service } = await grantScene(0, { lockTimeout: 500 });
  const record = { ...recordOf(pair, clock.now(), 0), mark: { ...mark, at: clock.now() } };
  const version = (await store.get(KEY))?.version ?? 0;
  await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
  for (const passed of [0, 43_000]) {
    clock.sleep(passed);
    expect(await refusal(platform.me.get(), GrantLockedError)).toMatchObject({ holder: 'process 8 on web-2' });
  }
  expect(service.received).toHaveLength(0);
  // The 45 s of the other process have passed: it counts as ended, and its token may be spent.
  clock.sleep(1_000);
  await platform.me.get();
  expect(clock.waits).toContain(5_000);
  expect(service.presented).toEqual([pair.refresh]);
});

test('with an acquired lock a mark means an ended process: only the settle time is waited', async () => {
  const memory = memoryStore();
  const store: GrantStore = { ...memory, tryLock: async () => ({ release: async () => {} }) };
  const { platform, clock, pair, service } = await grantScene(0, { store });
  const mark = { id: 'theirs', by: 'process 8 on web-2', at: clock.now(), outcome: 'pending' } as const;
  const version = (await store.get(KEY))?.version ?? 0;
  const record = { ...recordOf(pair, clock.now(), 0), mark };
  await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
  await platform.me.get();
  expect(clock.waits).toEqual([5_000]);
  expect(service.presented).toEqual([pair.refresh]);
});

test('a former pair that cannot be revoked does not prevent the renewal, and is kept', async () => {
  const { platform, store, clock, pair, service, record } = await grantScene(0);
  const version = (await store.get(KEY))?.version ?? 0;
  const value = encodeRecord({ ...recordOf(pair, clock.now(), 0), former: 'plat_rt_former' });
  await store.compareAndSet(KEY, version, { version: version + 1, value });
  service.respond('/oauth/revoke', 500);
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  expect(await record()).toMatchObject({ former: 'plat_rt_former' });
});

test('a pair that the store refused is kept, and stored before any other step', async () => {
  const { platform, store, service, record } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  let broken = true;
  store.compareAndSet = async (key, expected, next: StoredGrant) => {
    if (broken && !next.value.includes('"pending"')) throw new Error(`no space left for ${next.value}`);
    return write(key, expected, next);
  };
  const error = await refusal(platform.me.get(), GrantStoreError);
  expect(error).toMatchObject({ code: 'GRANT_STORE_FAILED', retryable: true });
  expect(error.message).not.toContain('SeCrEt');
  expect(service.count('/v1/me')).toBe(0);
  broken = false;
  await platform.me.get();
  expect(service.presented).toHaveLength(1);
  expect((await record()).refreshToken).toBe('plat_rt_SeCrEt2');
});

test('a store that fails for 20 s after the token was spent, as at the restart of a database, costs no grant', async () => {
  const { platform, another, store, clock, service } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  let failsUntil: number | null = null;
  store.compareAndSet = async (key, expected, next: StoredGrant) => {
    if (failsUntil !== null && clock.now() < failsUntil) throw new Error('the database is starting up');
    failsUntil ??= clock.now() + 20_000;
    return write(key, expected, next);
  };
  await platform.me.get();
  clock.sleep(60_000);
  await another({ store: { ...store, id: 'of another process' } })
    .actingFor(KEY)
    .me.get();
  expect(service.presented).toHaveLength(1);
});

test.each([
  ['reports no result', undefined],
  ['refuses each write', false],
])('a store that %s causes an error, and no endless writes', async (_, answer) => {
  const { platform, store, another, service } = await grantScene(0);
  let writes = 0;
  store.compareAndSet = async () => {
    if (++writes > 50) throw new Error('endless');
    return answer as boolean;
  };
  expect((await refusal(platform.me.get(), GrantStoreError)).message).toContain('compareAndSet');
  const { access: accessToken, refresh: refreshToken } = service.connect();
  const imported = another().grants.import({ accessToken, refreshToken, key: 'account-2' });
  expect((await refusal(imported, GrantStoreError)).message).toContain('compareAndSet');
});

test('without locks, the mark of an ended process whose clock ran ahead does not lock the grant', async () => {
  const { platform, store, clock, pair, service } = await grantScene(0);
  const mark = { id: 'theirs', by: 'process 8 on web-2', at: clock.now() + 86_400_000, outcome: 'pending' } as const;
  const version = (await store.get(KEY))?.version ?? 0;
  const record = { ...recordOf(pair, clock.now(), 0), mark };
  await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
  await platform.me.get();
  expect(service.presented).toEqual([pair.refresh]);
});

test.each<[string, Partial<OAuthOptions>]>([
  ['a store that does not answer', { store: { ...memoryStore(), compareAndSet: hang } }],
  ['a lock that does not answer', { store: { ...memoryStore(), tryLock: hang } }],
  ['an encryption that does not answer', { encryption: { encrypt: hang, decrypt: hang } }],
])('%s ends the refresh with an error, and the next call tries again', async (_, options) => {
  const { service, clock } = await grantScene(0);
  const store = options.store ?? memoryStore();
  const record = recordOf(service.connect(), clock.now(), 0);
  const first = { version: record.generation, value: encodeRecord(record) };
  const given: GrantStore = { ...store, get: async () => first };
  const platform = oauthFor(service.url, { clock: impatientClock(10_000), ...options, store: given }).actingFor(KEY);
  for (let call = 0; call < 2; call++) {
    expect((await refusal(platform.me.get(), GrantStoreError)).message).toContain('within 10000 ms');
  }
});

test('a lock that cannot be released in time does not delay the call', async () => {
  const store: GrantStore = { ...memoryStore(), tryLock: async () => ({ release: hang }) };
  const { platform, service } = await grantScene(0, { store, clock: impatientClock(10_000) });
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
});

test('a lock that is acquired after its time-out is released', async () => {
  const { opened: released, open: release } = gate();
  const { opened, open } = gate();
  const store: GrantStore = {
    ...memoryStore(),
    tryLock: () => opened.then(() => ({ release: async () => release() })),
  };
  const { platform } = await grantScene(0, { store, clock: impatientClock(10_000) });
  await refusal(platform.me.get(), GrantStoreError);
  open();
  await released;
});

test('a write whose response was lost is found in the store, and counts', async () => {
  const { platform, store, service } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  store.compareAndSet = async (key, expected, next) => {
    await write(key, expected, next);
    store.compareAndSet = write;
    throw new Error('connection lost');
  };
  await platform.me.get();
  expect(service.presented).toHaveLength(1);
});

test('a new pair replaces the mark of a process that counted this one as ended', async () => {
  const { platform, store, service, record } = await grantScene(0);
  service.gates.after = async () => {
    const { version = 0, value = '' } = (await store.get(KEY)) ?? {};
    const theirs = value.replace(/"id":"[^"]+"/, '"id":"theirs"');
    await store.compareAndSet(KEY, version, { version: version + 1, value: theirs });
  };
  await platform.me.get();
  expect(await record()).toMatchObject({ refreshToken: 'plat_rt_SeCrEt2', mark: null });
});

test('a new consent during a refresh is not overwritten', async () => {
  const { platform, store, service, clock, record } = await grantScene(0);
  const newer = service.connect();
  service.gates.after = async () => {
    const { version = 0 } = (await store.get(KEY)) ?? {};
    const fresh = { ...recordOf(newer, clock.now(), 3600), grantId: 'grant-2' };
    await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(fresh) });
  };
  await platform.me.get();
  expect(await record()).toMatchObject({ grantId: 'grant-2', refreshToken: newer.refresh });
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
});

test('a store that does not return whether it wrote is reported, and the token is not spent', async () => {
  const { platform, store, service } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  let writes = 0;
  store.compareAndSet = async (...given) => {
    if (++writes > 9) throw new Error('written again and again');
    await write(...given);
    return undefined as never;
  };
  const error = await refusal(platform.me.get(), GrantStoreError);
  expect(error.message).toContain('returned no boolean from compareAndSet');
  expect(service.presented).toEqual([]);
});

test('versions follow the clock, so that a row that was deleted meanwhile repeats none', async () => {
  const { platform, store, clock } = await grantScene(0);
  await platform.me.get();
  expect((await store.get(KEY))?.version).toBeGreaterThanOrEqual(clock.now());
});

test.each([{ version: '7' }, { value: 7 }])(
  'a stored grant with %j causes an error, and nothing is sent',
  async (wrong) => {
    const { platform, store, service } = await grantScene(0);
    const stored = await store.get(KEY);
    store.get = async () => Object.assign({}, stored, wrong);
    expect((await refusal(platform.me.get(), GrantStoreError)).message).toContain('not { version, value }');
    expect(service.received).toHaveLength(0);
  },
);

test('a record of another package version causes an error that shows nothing', async () => {
  const { store, platform } = await grantScene(0);
  const { version = 0, value = '' } = (await store.get(KEY)) ?? {};
  const newer = value.replace('"format":1', '"format":2');
  expect(newer).toContain('SeCrEt');
  await store.compareAndSet(KEY, version, { version: version + 1, value: newer });
  const error = await refusal(platform.me.get(), GrantStoreError);
  expect(error.message).toContain('not a grant of this package version');
  expect(error.message).not.toContain('SeCrEt');
  expect(error).not.toBeInstanceOf(CredentialError);
});

function hang(): Promise<never> {
  return new Promise(() => {});
}
