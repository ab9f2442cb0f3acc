import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { refusal } from '../testing/build.ts';
import { impatientClock } from '../testing/fake-clock.ts';
import { gate, grantScene, KEY } from '../testing/grants.ts';
import type { GrantStore } from './grant-store.ts';
import { ReauthorizationRequired } from './oauth-errors.ts';
import { memoryStore } from './stores/memory-store.ts';

const MINUTE = 60_000;
afterEach(() => vi.resetModules());

test('a valid token is returned without a promise and without a read of the store', async () => {
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
])('with a random value of %d it is renewed in the background with %d s left', async (chance, seconds) => {
  const clock = { ...impatientClock(5_000), random: () => chance };
  const { oauth, pair, service, store } = await grantScene(3000, { clock });
  let left = 3000;
  const credential = oauth.credential(KEY);
  await credential.get();
  const now = clock.now();
  clock.now = () => now + (3000 - left) * 1000;
  const read = vi.spyOn(store, 'get');
  left = seconds + 0.1;
  expect(credential.get()).toMatchObject({ value: pair.access });
  // A renewal reads the store before its first wait.
  expect(read).not.toHaveBeenCalled();
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

test('a short-lived token is renewed in its second half, and waited for in its last tenth, not at each call', async () => {
  const { platform, service, oauth, clock } = await grantScene(0, { expiresIn: 30 });
  await platform.me.get();
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  clock.sleep(26_000);
  expect(oauth.credential(KEY).get()).toHaveProperty('value');
});

test('any number of waiting calls and clients share one refresh', async () => {
  const { oauth, service, another } = await grantScene(0);
  const second = another();
  const calls = Array.from({ length: 50 }, (_, i) => (i % 2 ? oauth : second).actingFor(KEY).me.get());
  await Promise.all(calls);
  expect(service.count('/oauth/token')).toBe(1);
});

test('two stores of one process with the same id share one refresh', async () => {
  const { another, store, service, clock } = await grantScene(0);
  const calls = [1, 2].map(() =>
    another({ store: { ...store, id: 'shared' } })
      .actingFor(KEY)
      .me.get(),
  );
  await Promise.all(calls);
  expect(service.refreshes()).toBe(1);
  // Neither waited for the mark of the other.
  expect(clock.waits).toEqual([]);
});

test('two copies of the package share one refresh', async () => {
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

test('a refused token is not used again before its expiry', async () => {
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

test('late 401s of an older token cause no further refresh: fifty calls, one refresh', async () => {
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

test('a service that refuses each new token causes no endless refreshes in one call', async () => {
  const { oauth, service } = await grantScene(3000);
  const kill = service.gates;
  kill.after = async () => {
    for (let n = 1; n < 50; n++) service.kill(`plat_at_SeCrEt${n}`);
  };
  service.kill('plat_at_SeCrEt1');
  expect(await refusal(oauth.actingFor(KEY).me.get(), ApiError)).toMatchObject({ code: 'INVALID_TOKEN' });
  expect(service.count('/oauth/token')).toBe(1);
});

test('a key without a grant requires reauthorization too, and nothing is sent', async () => {
  const { oauth, service } = await grantScene(0);
  const error = await refusal(oauth.actingFor('ten_other').me.get(), ReauthorizationRequired);
  expect(error).toMatchObject({ key: 'ten_other', reason: 'not_connected' });
  expect(service.received).toHaveLength(0);
});

test('aborting one waiting call does not abort the shared refresh', async () => {
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
  // The end is reported once, not by each call that reads the tombstone.
  await refusal(platform.me.get(), ReauthorizationRequired);
  expect(steps).toEqual(['lock', 'release', `refreshed ${KEY}`, 'lock', 'release', 'ended refused']);
  expect(warnings).toEqual(['The hook onRefreshed failed: mine']);
});
