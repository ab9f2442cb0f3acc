import { expect, test } from 'vitest';
import { CredentialError } from '../errors/usage-errors.ts';
import { refusal } from '../testing/build.ts';
import { grantScene, KEY, recordOf } from '../testing/grants.ts';
import { encodeRecord } from './grant-record.ts';
import type { GrantStore, StoredGrant } from './grant-store.ts';
import { GrantLockedError, GrantStoreError } from './oauth-errors.ts';
import { memoryStore } from './stores/memory-store.ts';

test('inside the lock a newer pair is adopted, and nothing is sent', async () => {
  let put = async (): Promise<void> => {};
  const store: GrantStore = {
    ...memoryStore(),
    tryLock: async () => {
      await put();
      return { release: async () => {} };
    },
  };
  const { service, platform, clock } = await grantScene(0, { store });
  const newer = service.connect();
  put = async () => {
    const record = recordOf(newer, clock.now(), 3600);
    const version = (await store.get(KEY))?.version ?? 0;
    await store.compareAndSet(KEY, version, { version: clock.now(), value: encodeRecord(record) });
  };
  await platform.me.get();
  expect(service.count('/oauth/token')).toBe(0);
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
});

test('waiting for a lock is bounded, and names who holds it', async () => {
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

test('without locks another process is waited for by its mark, in bounded time and by name', async () => {
  const mark = { id: 'theirs', by: 'process 8 on web-2', outcome: 'pending' } as const;
  const { platform, store, clock, pair, service } = await grantScene(0, { lockTimeout: 500 });
  const record = { ...recordOf(pair, clock.now(), 0), mark: { ...mark, at: clock.now() } };
  const version = (await store.get(KEY))?.version ?? 0;
  await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
  expect(await refusal(platform.me.get(), GrantLockedError)).toMatchObject({ holder: 'process 8 on web-2' });
  expect(service.received).toHaveLength(0);
  // Its time is over: it is taken for dead, and the token for one that may be spent.
  clock.sleep(45_000);
  await platform.me.get();
  expect(clock.waits).toContain(5_000);
  expect(service.presented).toEqual([pair.refresh]);
});

test('when a lock ends and the mark is there, its process is dead: no wait but for the answer to settle', async () => {
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

test('a pair the store does not take is kept, and stored before anything else is tried', async () => {
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

test('a write whose answer was lost is found in the store, and counts', async () => {
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

test('a new pair is stored over the mark of a process that thought this one dead', async () => {
  const { platform, store, service, record } = await grantScene(0);
  service.gates.after = async () => {
    const { version = 0, value = '' } = (await store.get(KEY)) ?? {};
    const theirs = value.replace(/"id":"[^"]+"/, '"id":"theirs"');
    await store.compareAndSet(KEY, version, { version: version + 1, value: theirs });
  };
  await platform.me.get();
  expect(await record()).toMatchObject({ refreshToken: 'plat_rt_SeCrEt2', mark: null });
});

test('a consent given anew while a refresh runs is not written over', async () => {
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

test('what another version of the package wrote is an error, and shows nothing', async () => {
  const { store, platform } = await grantScene(0);
  const { version = 0 } = (await store.get(KEY)) ?? {};
  await store.compareAndSet(KEY, version, { version: version + 1, value: '{"format":2,"token":"plat_rt_SeCrEt"}' });
  const error = await refusal(platform.me.get(), GrantStoreError);
  expect(error.message).toContain('no grant of this version');
  expect(error.message).not.toContain('SeCrEt');
  expect(error).not.toBeInstanceOf(CredentialError);
});
