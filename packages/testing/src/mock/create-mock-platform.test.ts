import { ApiError, ConnectionError, Platform } from '@plat/sdk';
import { DeveloperApi } from '@plat/sdk/developer';
import { createVerifier } from '@plat/webhooks';
import { signTestEvent } from '@plat/webhooks/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { createMockPlatform } from './create-mock-platform.ts';

// Machines may be busy.
vi.setConfig({ testTimeout: 120_000 });

const mock = createMockPlatform();
const { baseUrl, fetch } = mock;
const plat = new Platform({ apiKey: mock.apiKey, baseUrl, fetch, maxRetries: 0 });

afterEach(() => mock.reset());

test('a client is created, shown, listed, updated and deleted', async () => {
  const created = await plat.clients.create({ name: 'Acme' });
  expect(created).toMatchObject({ name: 'Acme', slug: 'acme', status: 'active', custom_domain: null });
  expect(await plat.clients.get(created.id)).toEqual(created);
  expect((await plat.clients.list()).data[0]).toEqual(created);
  const changed = await plat.clients.update(created.id, { domain: 'acme.example' });
  expect(changed).toMatchObject({ name: 'Acme', custom_domain: 'acme.example' });
  expect(await plat.clients.delete(created.id)).toEqual({ object: 'client', id: created.id, deleted: true });
  await expect(plat.clients.get(created.id)).rejects.toMatchObject({ code: 'CLIENT_NOT_FOUND', status: 404 });
});

test('a list is paged newest first, in both directions', async () => {
  for (let i = 1; i <= 5; i++) await plat.clients.create({ name: `Client ${i}` });
  const names: string[] = [];
  for await (const { name } of plat.clients.list({ limit: 3 })) names.push(name);
  expect(names.slice(0, 5)).toEqual([5, 4, 3, 2, 1].map((i) => `Client ${i}`));
  const [, second, third] = (await plat.clients.list({ limit: 3 })).data;
  const page = await plat.clients.list({ limit: 1, ending_before: third?.id ?? '' });
  expect(page.data).toEqual([second]);
  expect(page.has_more).toBe(true);
  await expect(plat.clients.list({ starting_after: 'nonsense' })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
});

test('an invalid body is refused with an error for each field', async () => {
  const wrong = plat.request('POST', '/v1/clients', { body: { slug: 'Not A Slug', nmae: 'Acme' } });
  await expect(wrong).rejects.toMatchObject({
    code: 'INVALID_BODY',
    errors: [{ path: 'name' }, { path: 'slug' }, { path: 'nmae', message: 'is not a known field. Did you mean name?' }],
  });
});

test('a request with the same Idempotency-Key is executed once', async () => {
  const first = await plat.clients.create({ name: 'Acme' }, { idempotencyKey: 'one' });
  expect(await plat.clients.create({ name: 'Acme' }, { idempotencyKey: 'one' })).toEqual(first);
  const other = plat.clients.create({ name: 'Other' }, { idempotencyKey: 'one' });
  await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  expect(mock.events).toHaveLength(1);
});

test('an Idempotency-Key belongs to one API key, and is forgotten after a day', async () => {
  let now = Date.UTC(2026, 0, 1);
  const moved = createMockPlatform({ clock: () => now });
  const create = (apiKey: string, name: string) =>
    new Platform({ apiKey, baseUrl, fetch: moved.fetch }).clients.create({ name }, { idempotencyKey: 'one' });
  await create(moved.apiKey, 'Acme');
  await create(moved.mintKey(['clients:write']), 'Other');
  now += 24 * 60 * 60 * 1000;
  await create(moved.apiKey, 'Third');
  expect(moved.events).toHaveLength(3);
});

test('what refers to a deleted client or group ends with it', async () => {
  const [{ id: client }, { id: group }] = [
    await plat.clients.create({ name: 'Acme' }),
    await plat.groups.create({ name: 'North' }),
  ];
  await plat.groups.members.add(group, { client_id: client });
  await plat.clients.delete(client);
  expect(await plat.groups.get(group)).toMatchObject({ member_count: 0 });
  expect((await plat.groups.members.list(group)).data).toEqual([]);
  const { user_id: owner } = await plat.groups.owners.invite(group, { email: 'new@example.com' });
  await plat.groups.delete(group);
  await plat.users.delete(owner);
  await expect(plat.users.get(owner)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
});

test('the request log has the query of a successful request, and of a failed one the names only', async () => {
  await plat.clients.list({ slug: 'acme' });
  await plat.clients.list({ starting_after: 'mine' }).catch(() => undefined);
  const [failed, succeeded] = (await plat.requests.list()).data;
  expect([succeeded?.query, failed?.query]).toEqual(['slug=acme', 'starting_after=…']);
});

test('a request needs a known key with the required scope', async () => {
  const stranger = new Platform({ apiKey: 'plat_test_unknown', baseUrl, fetch });
  await expect(stranger.me.get()).rejects.toMatchObject({ code: 'INVALID_TOKEN', status: 401 });
  const reader = new Platform({ apiKey: mock.mintKey(['clients:read']), baseUrl, fetch });
  expect((await reader.me.get()).scopes).toEqual(['clients:read']);
  await expect(reader.clients.create({ name: 'Acme' })).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' });
});

test('an injected failure affects one operation, the given number of times', async () => {
  mock.fail('clients.create', 'RATE_LIMITED', { times: 2, retryAfter: 7 });
  mock.fail('clients.create', 'CONNECTION_CUT');
  const create = () => plat.clients.create({ name: 'Acme' });
  const refused = { code: 'RATE_LIMITED', retryAfter: 7 };
  await expect(create()).rejects.toMatchObject(refused);
  expect((await plat.clients.list()).data).toHaveLength(2);
  await expect(create()).rejects.toMatchObject(refused);
  await expect(create()).rejects.toBeInstanceOf(ConnectionError);
  expect((await create()).name).toBe('Acme');
});

test.each(['RATE_LIMITED', 'MAIL_LIMIT_REACHED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE'] as const)(
  'an injected %s has a time to wait, as on the platform',
  async (code) => {
    mock.fail('clients.create', code);
    await expect(plat.clients.create({ name: 'Acme' })).rejects.toMatchObject({ code, retryAfter: 1 });
  },
);

test('a failure that could never occur is refused', () => {
  // As plain JavaScript may call it.
  const fail: (operation: string, kind: string, options?: object) => void = mock.fail as never;
  expect(() => fail('clients.nope', 'RATE_LIMITED')).toThrow('no operation clients.nope; there are me.get, ');
  expect(() => fail('toString', 'RATE_LIMITED')).toThrow(TypeError);
  expect(() => fail('clients.list', 'NOPE')).toThrow('no failure NOPE; there are CONNECTION_CUT and the error codes');
  for (const times of [-1, 0, 1.5, Number.NaN, '2', null]) {
    expect(() => fail('clients.list', 'CONNECTION_CUT', { times }), String(times)).toThrow(RangeError);
  }
});

test('the SDK retries an injected failure with one idempotency key', async () => {
  const retrying = new Platform({ apiKey: mock.apiKey, baseUrl, fetch });
  mock.fail('clients.create', 'SERVICE_UNAVAILABLE', { retryAfter: 0 });
  await retrying.clients.create({ name: 'Acme' });
  expect(mock.requests.map(({ status }) => status)).toEqual([503, 201]);
  expect(new Set(mock.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
});

test('a key over its rate limit is refused with Retry-After', async () => {
  let now = Date.UTC(2026, 0, 1);
  const strict = createMockPlatform({ rateLimit: 1, clock: () => now });
  const hurried = new Platform({ apiKey: strict.apiKey, baseUrl, fetch: strict.fetch, maxRetries: 0 });
  const { rateLimit } = await hurried.me.get().withMeta();
  expect(rateLimit).toMatchObject({ limit: 1, remaining: 0 });
  await expect(hurried.me.get()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  now += 60_000;
  expect(await hurried.me.get()).toMatchObject({ tenant_id: strict.tenantId });
});

test('requests are recorded, with the request ids of their errors', async () => {
  await plat.clients.list({ status: 'active' });
  const error = await plat.clients.create({ name: '' }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(mock.requests).toMatchObject([
    { operation: 'clients.list', method: 'GET', path: '/v1/clients', query: { status: 'active' }, status: 200 },
    { operation: 'clients.create', body: { name: '' }, status: 400, code: 'INVALID_BODY' },
  ]);
  expect(mock.requests[1]?.requestId).toBe(error instanceof ApiError ? error.requestId : null);
});

test('a path that the API does not have is not found', async () => {
  await expect(plat.request('GET', '/v1/nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

const getBuiltinModule = () => {
  throw new Error('A Node.js API is used');
};

test.each([
  ['a browser', undefined],
  ['an edge route of Next.js', { getBuiltinModule }],
])('in %s, sign asks for Node.js', async (_, process) => {
  await plat.clients.create({ name: 'Acme' });
  const [event] = mock.events;
  if (!event) throw new Error('no event');
  vi.stubGlobal('process', process);
  const signing = mock.sign(event);
  vi.unstubAllGlobals();
  await expect(signing).rejects.toThrow('sign needs Node.js');
});

test('a change records its event, which a receiver accepts once signed', async () => {
  const { secret } = await plat.webhooks.endpoints.create({ url: 'https://app.example/hook', events: ['*'] });
  const { id } = await plat.clients.create({ name: 'Acme' });
  const [event] = mock.events;
  if (event?.type !== 'client.created') throw new Error('no event');
  expect(event.data.id).toBe(id);
  const { rawBody, headers } = await mock.sign(event, { secret });
  const verifier = createVerifier({ secrets: secret });
  expect(verifier.verify(rawBody, headers)).toMatchObject({
    ...{ id: event.id, tenant_id: mock.tenantId, data: { id } },
  });
  const [delivery] = (await plat.webhooks.deliveries.list()).data;
  expect(delivery).toMatchObject({ event_id: event.id, attempt: 1, status: 'pending' });
});

test('deliveries are listed by their time', async () => {
  await plat.webhooks.endpoints.create({ url: 'https://app.example/hook', events: ['*'] });
  await plat.clients.create({ name: 'Acme' });
  const [{ created_at = '' } = {}] = (await plat.webhooks.deliveries.list()).data;
  const list = async (params: object) => (await plat.webhooks.deliveries.list(params)).data.length;
  const [earlier, later] = [-1, 1].map((ms) => new Date(Date.parse(created_at) + ms).toISOString());
  expect(await list({ created_after: earlier, created_before: later })).toBe(1);
  expect([await list({ created_after: created_at }), await list({ created_before: created_at })]).toEqual([0, 0]);
});

test('an event of an app is signed with its app', async () => {
  const { event } = signTestEvent('installation.revoked', { tenantId: mock.tenantId, appId: 'app_mine' });
  const { rawBody, headers } = await mock.sign(event, { secret: 'whsec_mine' });
  expect(createVerifier({ secrets: 'whsec_mine' }).verify(rawBody, headers)).toEqual(event);
});

test('a mock with a frozen clock is deterministic', async () => {
  const same = () => createMockPlatform({ clock: () => Date.UTC(2026, 0, 1) });
  const seen: unknown[] = [];
  for (const still of [same(), same()]) {
    const client = new Platform({ apiKey: still.apiKey, baseUrl, fetch: still.fetch });
    seen.push([await client.clients.create({ name: 'Acme' }), (await client.groups.list()).data]);
  }
  expect(seen[0]).toEqual(seen[1]);
});

test('a reset restores the initial state', async () => {
  await plat.clients.create({ name: 'Acme' });
  mock.fail('me.get', 'INTERNAL_ERROR', { times: Number.POSITIVE_INFINITY });
  mock.reset();
  expect(mock.requests).toEqual([]);
  expect((await plat.me.get()).tenant_id).toBe(mock.tenantId);
  expect((await plat.clients.list()).data).toHaveLength(2);
});

test.each([0, 20])(
  'a call that a reset overtakes leaves the new state alone, with a delay of %i ms',
  async (delayMs) => {
    mock.delay(delayMs);
    const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' };
    const call = fetch(`${baseUrl}/v1/clients`, { method: 'POST', headers, body: '{"name":"Acme"}' });
    mock.reset();
    mock.fail('clients.create', 'INTERNAL_ERROR');
    expect((await call).status).toBe(201);
    expect([mock.requests, mock.events]).toEqual([[], []]);
    expect((await plat.clients.list()).data).toHaveLength(2);
    await expect(plat.clients.create({ name: 'Acme' })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  },
);

test('a delay postpones responses', async () => {
  // A timer may be late, and never early: this holds on the slowest machine.
  mock.delay(30);
  const start = performance.now();
  await plat.me.get();
  expect(performance.now() - start).toBeGreaterThan(25);
});

test('a call can be aborted before and during a delay', async () => {
  await expect(fetch(`${baseUrl}/v1/me`, { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  mock.delay(60_000);
  await expect(fetch(`${baseUrl}/v1/me`, { signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout');
  expect(mock.requests).toEqual([]);
});

test.each([0, 60_000])('a call that is aborted at once changes nothing, with a delay of %i ms', async (delayMs) => {
  mock.delay(delayMs);
  const controller = new AbortController();
  const headers = { authorization: `Bearer ${mock.apiKey}`, 'content-type': 'application/json' };
  const { signal } = controller;
  const call = fetch(`${baseUrl}/v1/clients`, { method: 'POST', headers, body: '{"name":"Acme"}', signal });
  controller.abort();
  await expect(call).rejects.toThrow('aborted');
  expect([mock.requests, mock.events]).toEqual([[], []]);
});

test('an address outside the base URL is refused, and not called', async () => {
  const elsewhere = 'https://platform.example.org/v1/me?token=secret';
  await expect(fetch(elsewhere)).rejects.toThrow(
    'the mock answers for https://platform.example, not for https://platform.example.org/v1/me',
  );
});

test('the developer API is refused with the way to the real server', async () => {
  const developer = new DeveloperApi({ token: 'plat_dv_x', baseUrl, fetch });
  const refused = {
    code: 'NOT_FOUND',
    attempts: 1,
    message: expect.stringContaining('usePlatform() of @plat/testing'),
  };
  await expect(developer.apps.list()).rejects.toMatchObject(refused);
  await expect(developer.apps.register({ name: 'x', redirect_uris: [], scopes: [] })).rejects.toMatchObject(refused);
  expect(mock.requests.map(({ operation, path }) => [operation, path])).toEqual([
    [null, '/developer/v1/apps'],
    [null, '/developer/v1/apps'],
  ]);
});
