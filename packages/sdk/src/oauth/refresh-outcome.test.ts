import { expect, test } from 'vitest';
import { systemClock } from '../call/clock.ts';
import { ApiError } from '../errors/api-error.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { refusal } from '../testing/build.ts';
import type { Fault } from '../testing/fake-service.ts';
import { grantScene, KEY, recordOf } from '../testing/grants.ts';
import { encodeRecord } from './grant-record.ts';
import { ReauthorizationRequired, RefreshError } from './oauth-errors.ts';
import { readTokenPair } from './token-answer.ts';

test('the mark is stored before the token is spent, and the new pair before any call uses it', async () => {
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
  'after "%s" the request is not sent again, and calls use the old token while it is valid',
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
])('without a valid token "%s" causes the error %s', async (fault, code) => {
  const { service, platform } = await grantScene(0, { timeout: 1_000, clock: systemClock });
  service.faults.push(fault);
  const error = await refusal(platform.me.get(), RefreshError);
  expect(error).toMatchObject({ code: 'REFRESH_FAILED', outcome: 'unknown', retryable: true, cause: { code } });
  expect(service.count('/oauth/token')).toBe(1);
});

test.each<Fault>(['cut before', '500 before', 'hang before'])(
  'after the old token has expired, the token of "%s" is presented again after a delay, and works',
  async (fault) => {
    const { service, platform, record } = await grantScene(0, { timeout: 1_000, settle: 30, clock: systemClock });
    service.faults.push(fault);
    await refusal(platform.me.get(), RefreshError);
    await platform.me.get();
    expect(service.presented).toHaveLength(1);
    expect((await record()).mark).toBeNull();
  },
);

test.each<Fault>(['cut after', '500 after', 'half an answer', 'html after', 'no refresh_token'])(
  'after the old token has expired, the token of "%s" is found to be spent: answer_lost',
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

test('an unsent request is repeated, and leaves no mark if it cannot be sent at all', async () => {
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

const noConnection = Object.assign(new Error('unreachable'), { syscall: 'connect', code: 'EHOSTUNREACH' });
const brokenConnection = Object.assign(new Error('reset'), { syscall: 'read', code: 'ECONNRESET' });

test.each([
  ['no connection to the only address', noConnection, 'not_sent'],
  ['no connection to either address', new AggregateError([noConnection, noConnection]), 'not_sent'],
  ['one connection that broke', new AggregateError([noConnection, brokenConnection]), 'unknown'],
  ['an error that names no attempt', new AggregateError([]), 'unknown'],
  ['a connection that broke', brokenConnection, 'unknown'],
  ['a connection of undici that took too long', { code: 'UND_ERR_CONNECT_TIMEOUT' }, 'not_sent'],
  ['a connection of undici that broke', { code: 'UND_ERR_SOCKET' }, 'unknown'],
  ['a certificate that has expired', { code: 'CERT_HAS_EXPIRED' }, 'not_sent'],
])('with %s, the refresh token may be spent only if it was sent', async (_, cause, outcome) => {
  const { another, record } = await grantScene(0);
  let requests = 0;
  const broken = async () => {
    requests++;
    throw Object.assign(new TypeError('fetch failed'), { cause });
  };
  const error = await refusal(another({ fetch: broken }).actingFor(KEY).me.get(), RefreshError);
  expect(error.outcome).toBe(outcome);
  if (outcome === 'unknown') expect(requests).toBe(1);
  expect((await record()).mark).toEqual(outcome === 'unknown' ? expect.objectContaining({ outcome }) : null);
});

test('a refusal that spent nothing clears the mark and is thrown unchanged', async () => {
  const { service, platform, record } = await grantScene(0);
  service.faults.push('suspended', 'wrong secret');
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'TENANT_SUSPENDED' });
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'INVALID_CLIENT_SECRET' });
  expect((await record()).mark).toBeNull();
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
});

test('after a refusal that spent nothing, calls use the valid token for 30 s before the next try', async () => {
  const { service, platform, clock } = await grantScene(59);
  service.faults.push('suspended', 'suspended');
  for (let call = 0; call < 5; call++) await platform.me.get();
  expect(service.count('/oauth/token')).toBe(1);
  clock.sleep(31_000);
  await platform.me.get();
  expect(service.count('/oauth/token')).toBe(2);
});

test('a token that expires within these 30 s is renewed before the next call', async () => {
  const { service, platform, clock } = await grantScene(20);
  service.faults.push('suspended');
  await platform.me.get();
  clock.sleep(20_000);
  await platform.me.get();
  expect(service.count('/oauth/token')).toBe(2);
  expect(service.refreshes()).toBe(1);
});

test('an expired token is not sent when its renewal fails', async () => {
  const { service, platform, clock } = await grantScene(20);
  service.faults.push('suspended', 'suspended');
  await platform.me.get();
  clock.sleep(20_000);
  expect(await refusal(platform.me.get(), ApiError)).toMatchObject({ code: 'TENANT_SUSPENDED' });
  expect(service.count('/v1/me')).toBe(1);
});

test('a token of one minute is not renewed by each call', async () => {
  const { service, platform } = await grantScene(0, { expiresIn: 60 });
  for (let call = 0; call < 5; call++) await platform.me.get();
  expect(service.count('/oauth/token')).toBe(1);
});

test('a newer pair of the same grant that another process stored meanwhile is not overwritten', async () => {
  const { service, platform, store, clock } = await grantScene(0);
  const newer = service.connect();
  service.gates.after = async () => {
    service.gates.after = undefined;
    const version = ((await store.get(KEY))?.version ?? 0) + 1;
    await store.compareAndSet(KEY, version - 1, { version, value: encodeRecord(recordOf(newer, clock.now(), 3600)) });
  };
  await platform.me.get();
  expect((await store.get(KEY))?.value).toContain(newer.access);
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
});

test('the scopes of a response replace those of the grant', async () => {
  const { platform, record } = await grantScene(0);
  await platform.me.get();
  expect((await record()).scopes).toEqual(['clients:read', 'me:read']);
});

test.each([
  ['access_token', ''],
  ['access_token', 5],
  ['refresh_token', 'a b'],
  ['token_type', 'mac'],
  ['token_type', undefined],
  ['expires_in', '3600'],
  ['expires_in', 0],
  ['expires_in', Number.POSITIVE_INFINITY],
])('a response whose %s is %j is invalid', (name, value) => {
  const body = { access_token: 'plat_at_1', refresh_token: 'plat_rt_1', token_type: 'bearer', expires_in: 3600 };
  expect(readTokenPair(body, 0)).toMatchObject({ accessToken: 'plat_at_1', expiresAt: 3_600_000 });
  const answer = readTokenPair({ ...body, [name]: value }, 0);
  expect(answer).toBeInstanceOf(InvalidResponseError);
  expect(answer).toMatchObject({ message: expect.stringContaining(name) });
});

test('a response without scope keeps the scopes of the grant (RFC 6749, 5.1)', async () => {
  const { service, platform, record } = await grantScene(0);
  service.faults.push('no scope');
  await platform.me.get();
  expect((await record()).scopes).toEqual(['clients:read']);
});

test('a refresh that the rate limit refuses waits as requested and continues', async () => {
  const { service, platform, clock } = await grantScene(0);
  service.faults.push('429');
  await platform.me.get();
  expect(service.refreshes()).toBe(1);
  expect(clock.waits).toContain(1000);
});

test('a token that may be spent keeps its mark after any response that does not spend it', async () => {
  const { service, platform, record } = await grantScene(0);
  service.faults.push('cut after', 'suspended');
  await refusal(platform.me.get(), RefreshError);
  await refusal(platform.me.get(), ApiError);
  expect((await record()).mark).toMatchObject({ outcome: 'unknown' });
});

test('invalid_grant: if the store has another pair by then, it is used', async () => {
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

test('invalid_grant: a pair that another process stores just before the tombstone is used', async () => {
  const { service, platform, store, clock } = await grantScene(0);
  const newer = service.connect();
  service.faults.push('invalid_grant');
  const write = store.compareAndSet.bind(store);
  store.compareAndSet = async (key, expected, next) => {
    if (next.value.includes('"ended"') && expected !== null) {
      store.compareAndSet = write;
      await write(key, expected, { version: expected + 1, value: encodeRecord(recordOf(newer, clock.now(), 3600)) });
    }
    return write(key, expected, next);
  };
  await platform.me.get();
  expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${newer.access}`);
});

test('invalid_grant without a newer pair leaves a tombstone without tokens, and later calls send nothing', async () => {
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

test('a pair that appears during the wait for a lost response is used', async () => {
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

test('a process that was suspended between mark and request writes a new mark before it sends', async () => {
  const { platform, store, service, clock } = await grantScene(0);
  const write = store.compareAndSet.bind(store);
  let writes = 0;
  store.compareAndSet = async (key, expected, next) => {
    if (++writes === 1) clock.sleep(16_000);
    return write(key, expected, next);
  };
  service.faults.push('invalid_grant');
  // Its own mark of the first try is no sign that the token was spent, and is not waited for.
  expect(await refusal(platform.me.get(), ReauthorizationRequired)).toMatchObject({ reason: 'refused' });
  expect(writes).toBe(3);
  expect(service.count('/oauth/token')).toBe(1);
  expect(clock.waits).toEqual([]);
});
