import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { CredentialError } from '../errors/usage-errors.ts';
import { refusal } from '../testing/build.ts';
import { impatientClock } from '../testing/fake-clock.ts';
import type { Fault } from '../testing/fake-service.ts';
import { gate, grantScene, KEY, recordOf } from '../testing/grants.ts';
import { encodeRecord } from './grant-record.ts';
import type { GrantStore, StoredGrant } from './grant-store.ts';
import { GrantLockedError, GrantStoreError, ReauthorizationRequired, RefreshError } from './oauth-errors.ts';
import { memoryStore } from './stores/memory-store.ts';

const MINUTE = 60_000;
afterEach(() => vi.resetModules());

test('a valid token is given at once, without a promise and without a look into the store', async () => {
  const { oauth, pair, store } = await grantScene(3000);
  const credential = oauth.credential(KEY);
  await credential.get();
  const get = vi.spyOn(store, 'get');
  expect(credential.get()).toMatchObject({ value: pair.access });
  expect(oauth.credential(KEY).get()).toMatchObject({ value: pair.access });
  expect(get).not.toHaveBeenCalled();
});

test.each([
  [0, 300],
  [0.5, 180],
  [0.999, 60.24],
])('with chance at %d it is renewed ahead with %d s left, in the background', async (chance, seconds) => {
  const clock = { ...impatientClock(5_000), random: () => chance };
  const { oauth, pair, service } = await grantScene(3000, { clock });
  let left = 3000;
  const credential = oauth.credential(KEY);
  await credential.get();
  const now = clock.now();
  clock.now = () => now + (3000 - left) * 1000;
  left = seconds + 0.1;
  expect(credential.get()).toMatchObject({ value: pair.access });
  expect(service.count('/oauth/token')).toBe(0);
  left = seconds - 0.1;
  expect(credential.get()).toMatchObject({ value: pair.access });
  await expect.poll(() => service.refreshes()).toBe(1);
  await expect.poll(() => credential.get()).not.toMatchObject({ value: pair.access });
});

test('with less than 60 s left a call waits for the renewal', async () => {
  const { platform, service, oauth, pair } = await grantScene(59);
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  expect(oauth.credential(KEY).get()).not.toMatchObject({ value: pair.access });
});

test('a token of a short life is renewed for its last tenth, not at each call', async () => {
  const { platform, service } = await grantScene(0, { expiresIn: 30 });
  await platform.me.get();
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
});

test('however many calls wait, and with whichever client, there is one refresh', async () => {
  const { oauth, service, another } = await grantScene(0);
  const second = another();
  const calls = Array.from({ length: 50 }, (_, i) => (i % 2 ? oauth : second).actingFor(KEY).me.get());
  await Promise.all(calls);
  expect(service.count('/oauth/token')).toBe(1);
});

test('two copies of the package share one flight', async () => {
  const { store, service, platform, clock } = await grantScene(0);
  vi.resetModules();
  const copy = await import('../oauth.ts');
  const { APP, REDIRECT_URI } = await import('../testing/fake-app.ts');
  const other = new copy.OAuth({ ...APP, redirectUri: REDIRECT_URI, baseUrl: service.url, store, clock });
  expect(copy.ReauthorizationRequired).not.toBe(ReauthorizationRequired);
  const waiting = gate();
  service.gates.before = () => waiting.opened;
  const calls = [platform.me.get(), other.actingFor(KEY).me.get()];
  await expect.poll(() => service.count('/oauth/token')).toBe(1);
  waiting.open();
  await Promise.all(calls);
  expect(service.refreshes()).toBe(1);

  service.faults.push('invalid_grant');
  clock.sleep(61 * MINUTE);
  const errors = await Promise.all([
    refusal(platform.me.get(), ReauthorizationRequired),
    refusal(other.actingFor(KEY).me.get(), copy.ReauthorizationRequired),
  ]);
  expect(errors).toMatchObject([{ reason: 'refused' }, { reason: 'refused' }]);
});

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

test('the mark is in the store before the token is spent, and the new pair before any call has it', async () => {
  const { service, platform, store, record, pair } = await grantScene(0);
  const seen: unknown[] = [];
  service.gates.before = async () => {
    seen.push((await record()).mark);
  };
  const order: string[] = [];
  const write = store.compareAndSet.bind(store);
  store.compareAndSet = async (key, expected, next) => {
    await new Promise((resolve) => setImmediate(resolve));
    order.push(next.value.includes(pair.refresh) ? 'mark' : 'pair');
    return write(key, expected, next);
  };
  service.server.on('request', ({ url }) => order.push(String(url)));
  await platform.me.get();
  expect(seen).toMatchObject([{ outcome: 'pending', by: expect.stringMatching(/^process \d+ on /) }]);
  expect(order).toEqual(['mark', '/oauth/token', 'pair', '/v1/me']);
  expect((await record()).mark).toBeNull();
});

test.each<Fault>(['cut before', 'cut after', 'half an answer', '500 before', '500 after', 'html after'])(
  'after "%s" the request is not sent again, and calls go on with the old token while it lives',
  async (fault) => {
    const { service, oauth, platform, record, clock, pair } = await grantScene(59);
    service.faults.push(fault);
    for (let call = 0; call < 5; call++) await platform.me.get();
    expect(service.presented.length + service.faults.length).toBeLessThanOrEqual(1);
    expect((await record()).mark).toMatchObject({ outcome: 'unknown' });
    clock.sleep(31_000);
    await platform.me.get();
    expect(service.count('/oauth/token')).toBe(1);
    expect(oauth.credential(KEY).get()).toMatchObject({ value: pair.access });
  },
);

test.each<[Fault, string]>([
  ['hang before', 'TIMEOUT'],
  ['hang after', 'TIMEOUT'],
  ['no refresh_token', 'INVALID_RESPONSE'],
  ['no expires_in', 'INVALID_RESPONSE'],
  ['500 before', 'INTERNAL_ERROR'],
  ['cut after', 'CONNECTION_FAILED'],
])('with no living token "%s" is an error that says so (%s)', async (fault, code) => {
  const { service, platform } = await grantScene(0, { timeout: 150, clock: await realClock() });
  service.faults.push(fault);
  const error = await refusal(platform.me.get(), RefreshError);
  expect(error).toMatchObject({ code: 'REFRESH_FAILED', outcome: 'unknown', retryable: true, cause: { code } });
  expect(service.count('/oauth/token')).toBe(1);
});

test.each<Fault>(['cut before', '500 before', 'hang before'])(
  'once the old token has ended, the token of "%s" is presented again after a while, and works',
  async (fault) => {
    const { service, platform, record } = await grantScene(0, { timeout: 150, settle: 30, clock: await realClock() });
    service.faults.push(fault);
    await refusal(platform.me.get(), RefreshError);
    await platform.me.get();
    expect(service.presented).toHaveLength(1);
    expect((await record()).mark).toBeNull();
  },
);

test.each<Fault>(['cut after', '500 after', 'half an answer', 'html after', 'no refresh_token'])(
  'once the old token has ended, the token of "%s" is found to be spent: answer_lost',
  async (fault) => {
    const { service, platform, pair, record, clock } = await grantScene(0);
    service.faults.push(fault);
    await refusal(platform.me.get(), RefreshError);
    const error = await refusal(platform.me.get(), ReauthorizationRequired);
    expect(error).toMatchObject({ key: KEY, reason: 'answer_lost', code: 'REAUTHORIZATION_REQUIRED' });
    expect(service.presented).toEqual([pair.refresh, pair.refresh]);
    expect(clock.waits).toContain(5_000);
    expect(await record()).toMatchObject({ status: 'ended', reason: 'answer_lost' });
  },
);

test('what could not be sent is sent again, and leaves no mark when it cannot be sent at all', async () => {
  const { service, another, record, platform } = await grantScene(0);
  let refusals = 2;
  const refusing: typeof fetch = async (...args) => {
    if (refusals-- > 0) throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } });
    return fetch(...args);
  };
  await another({ fetch: (url, init) => refusing(url, init) })
    .actingFor(KEY)
    .me.get();
  expect(service.refreshes()).toBe(1);
  void platform;

  const down = await grantScene(0);
  const fetchDown = async () => {
    throw Object.assign(new Error('x'), { code: 'ENOTFOUND' });
  };
  const acting = down.another({ fetch: fetchDown }).actingFor(KEY);
  const error = await refusal(acting.me.get(), RefreshError);
  expect(error).toMatchObject({ outcome: 'not_sent', retryable: true });
  expect((await down.record()).mark).toBeNull();
  await expect(record()).resolves.toMatchObject({ mark: null });
});

test('a refusal that spent nothing clears the mark and is given as it is', async () => {
  const { service, platform, record } = await grantScene(0);
  service.faults.push('suspended', 'wrong secret');
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'TENANT_SUSPENDED' });
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'INVALID_CLIENT_SECRET' });
  expect((await record()).mark).toBeNull();
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
});

test('when the rate limit turns a refresh away, it waits as asked and goes on', async () => {
  const { service, platform, clock } = await grantScene(0);
  service.faults.push('429');
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  expect(clock.waits).toContain(1000);
});

test('a token that may be spent stays so marked, whatever is answered without spending it', async () => {
  const { service, platform, record } = await grantScene(0);
  service.faults.push('cut after', 'suspended');
  await refusal(platform.me.get(), RefreshError);
  await refusal(platform.me.get(), ApiError);
  expect((await record()).mark).toMatchObject({ outcome: 'unknown' });
});

test('a token that is refused is not used again, though its time has not come', async () => {
  const { service, platform, pair } = await grantScene(59);
  service.faults.push('cut before');
  await platform.me.get();
  service.kill(pair.access);
  await platform.me.get();
  expect(service.presented).toEqual([pair.refresh]);

  const suspended = await grantScene(3000);
  suspended.service.kill(suspended.pair.access);
  suspended.service.faults.push('suspended', 'suspended');
  for (let call = 0; call < 2; call++) {
    expect(await refusal(suspended.platform.me.get(), ApiError)).toMatchObject({ code: 'TENANT_SUSPENDED' });
  }
  expect(suspended.service.count('/v1/me')).toBe(1);
});

test('401s of an older token are only replayed: fifty trickle in, one refresh', async () => {
  const { service, oauth, pair } = await grantScene(3000);
  const platform = oauth.actingFor(KEY, { maxRetries: 0 });
  await platform.me.get();
  service.kill(pair.access);
  const calls = Array.from({ length: 50 }, async (_, i) => {
    for (let turn = 0; turn < i % 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    return platform.me.get();
  });
  expect(await Promise.all(calls)).toHaveLength(50);
  expect(service.count('/oauth/token')).toBe(1);
});

test('a refusal of an older generation is answered without a promise', async () => {
  const { oauth, service } = await grantScene(0);
  const credential = oauth.credential(KEY);
  const current = await credential.get();
  const error = new ApiError({
    status: 401,
    rawCode: 'INVALID_TOKEN',
    message: '',
    errors: [],
    rateLimit: null,
    retryAfter: null,
  });
  const older = { value: 'plat_at_old', generation: 1 };
  expect(credential.refused?.(older, error)).toBe(true);
  expect(credential.refused?.({ value: 'foreign' }, error)).toBe(false);
  expect(service.refreshes()).toBe(1);
  expect(await credential.refused?.(current, error)).toBe(true);
  expect(service.refreshes()).toBe(2);
});

test('a service that refuses each new token gets no loop of refreshes out of one call', async () => {
  const { oauth, service } = await grantScene(3000);
  const kill = service.gates;
  kill.after = async () => {
    for (let n = 1; n < 50; n++) service.kill(`plat_at_SeCrEt${n}`);
  };
  service.kill('plat_at_SeCrEt1');
  expect(await refusal(oauth.actingFor(KEY).me.get(), ApiError)).toMatchObject({ code: 'INVALID_TOKEN' });
  expect(service.count('/oauth/token')).toBe(1);
});

test('invalid_grant: when the store has another pair by then, that one is used', async () => {
  const { service, platform, store, clock } = await grantScene(0);
  const newer = service.connect();
  service.faults.push('invalid_grant');
  service.gates.before = async () => {
    service.gates.before = undefined;
    const record = recordOf(newer, clock.now(), 3600);
    const version = (await store.get(KEY))?.version ?? 0;
    await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
  };
  await platform.me.get();
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
});

test('invalid_grant with nothing newer leaves a tombstone without tokens, and costs nobody another request', async () => {
  const { service, platform, another, record, store, pair } = await grantScene(0);
  service.faults.push('invalid_grant');
  const error = await refusal(platform.me.get(), ReauthorizationRequired);
  expect(error).toMatchObject({ code: 'REAUTHORIZATION_REQUIRED', key: KEY, reason: 'refused', retryable: false });
  expect(await record()).toMatchObject({ status: 'ended', reason: 'refused', tenantId: 'ten_1' });
  expect((await store.get(KEY))?.value).not.toContain(pair.refresh);
  await refusal(another().actingFor(KEY).me.get(), ReauthorizationRequired);
  expect(service.count('/oauth/token')).toBe(1);
  expect(await another().grant(KEY)).toMatchObject({ status: 'ended', reason: 'refused', tenantId: 'ten_1' });
});

test('invalid_grant in the background ends the grant for the next call', async () => {
  const { service, platform } = await grantScene(200);
  service.faults.push('invalid_grant');
  await platform.me.get();
  await platform.me.get();
  await expect.poll(() => service.count('/oauth/token')).toBe(1);
  await expect.poll(() => platform.me.get().catch((error: unknown) => error)).toBeInstanceOf(ReauthorizationRequired);
  expect(service.count('/oauth/token')).toBe(1);
});

test('a key that was never connected is reauthorization too, and nothing is sent', async () => {
  const { oauth, service } = await grantScene(0);
  const error = await refusal(oauth.actingFor('ten_other').me.get(), ReauthorizationRequired);
  expect(error).toMatchObject({ key: 'ten_other', reason: 'not_connected' });
  expect(service.received).toHaveLength(0);
});

test('aborting one waiter does not abort the refresh that others wait for', async () => {
  const { service, platform } = await grantScene(0);
  const waiting = gate();
  service.gates.before = () => waiting.opened;
  const controller = new AbortController();
  const first = platform.me.get({ signal: controller.signal }).catch((error: unknown) => error);
  const second = platform.me.get();
  await expect.poll(() => service.count('/oauth/token')).toBe(1);
  controller.abort();
  expect(await first).toMatchObject({ code: 'ABORTED' });
  waiting.open();
  await second;
  expect(service.count('/oauth/token')).toBe(1);
});

test('hooks run outside the lock, and can neither delay nor break a call', async () => {
  const steps: string[] = [];
  const memory = memoryStore();
  const store: GrantStore = {
    get: memory.get,
    compareAndSet: memory.compareAndSet,
    async tryLock() {
      steps.push('lock');
      return { release: async () => void steps.push('release') };
    },
  };
  const warnings: string[] = [];
  const hooks = {
    onRefreshed: ({ key }: { key: string }) => {
      steps.push(`refreshed ${key}`);
      throw new Error('mine');
    },
    onRefreshFailed: () => new Promise(() => {}),
    onGrantEnded: ({ reason }: { reason: string }) => steps.push(`ended ${reason}`),
  };
  const { platform, service, clock } = await grantScene(0, {
    store,
    hooks,
    onWarning: ({ message }) => warnings.push(message),
  });
  await platform.me.get();
  service.faults.push('invalid_grant');
  clock.sleep(61 * MINUTE);
  await refusal(platform.me.get(), ReauthorizationRequired);
  expect(steps).toEqual(['lock', 'release', `refreshed ${KEY}`, 'lock', 'release', 'ended refused']);
  expect(warnings).toEqual(['The hook onRefreshed failed: mine']);
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

test('a pair that appears while a lost answer settles is adopted', async () => {
  const { platform, store, clock, pair, service } = await grantScene(0);
  service.faults.push('cut after');
  await refusal(platform.me.get(), RefreshError);
  const newer = service.connect();
  const after = clock.after.bind(clock);
  clock.after = (length, run) => {
    if (length !== 5_000) return after(length, run);
    return after(length, async () => {
      const { version = 0 } = (await store.get(KEY)) ?? {};
      const record = recordOf(newer, clock.now(), 3600);
      await store.compareAndSet(KEY, version, { version: version + 1, value: encodeRecord(record) });
      run();
    });
  };
  await platform.me.get();
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

test('a process that slept between mark and request marks anew before it sends', async () => {
  const { platform, store, service, clock } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  let writes = 0;
  store.compareAndSet = async (key, expected, next) => {
    if (++writes === 1) clock.sleep(16_000);
    return write(key, expected, next);
  };
  await platform.me.get();
  expect(writes).toBe(3);
  expect(service.presented).toHaveLength(1);
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

/** The machine's clock, for what needs time-outs to come. */
async function realClock() {
  const { systemClock } = await import('../call/clock.ts');
  return systemClock;
}
