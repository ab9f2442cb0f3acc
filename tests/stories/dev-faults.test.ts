import { ApiError, Platform } from '@plat/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, type Api, apiOf, expectForm, expectRefusal } from '../support/api.ts';
import { codeForm, expectOAuthRefusal, postForm } from '../support/oauth.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

/* Injected faults, as an integration observes them. */

const story = useServer();
let apiKey: string;
let tenantId: string;
let api: Api;
let platform: Platform;

beforeEach(async () => {
  ({ apiKey, tenantId } = await story.server.createTenant());
  api = apiOf(story.server.baseUrl, apiKey);
  platform = new Platform({ baseUrl: story.server.baseUrl, apiKey });
});
afterEach(async () => {
  platform.close();
  await dev('/faults', { method: 'DELETE' });
});

const dev: Api = (path, call) => apiOf(story.server.baseUrl)(`/_dev${path}`, call);
const add = (fault: object): Promise<Answer> => dev('/faults', { body: fault });
const clients = async () => (await api('/v1/clients')).body.data;

describe('requests', () => {
  test('are refused with a code, exactly as many times as configured', async () => {
    const { status, body } = await add({ operation: 'clients.create', kind: 'error', code: 'SLUG_IN_USE', times: 2 });
    expect(status).toBe(201);
    expect(body).toEqual({
      object: 'dev_fault',
      id: expect.stringMatching(/^flt_/),
      ...{ operation: 'clients.create', kind: 'error', code: 'SLUG_IN_USE', times: 2, left: 2 },
    });
    const create = () => api('/v1/clients', { body: { name: 'Acme' } });
    const refused = await create();
    expectRefusal(refused, 'SLUG_IN_USE');
    expect(refused.headers.get('x-dev-fault')).toBe(body.id);
    expect((await dev('/faults')).body.data).toMatchObject([{ id: body.id, left: 1 }]);
    expect((await api('/v1/clients')).status).toBe(200);
    expectRefusal(await create(), 'SLUG_IN_USE');
    expect((await create()).status).toBe(201);
    expect((await dev('/faults')).body.data).toEqual([]);
  });

  test.each(['INTERNAL_ERROR', 'SERVICE_UNAVAILABLE', 'INVALID_TOKEN', 'INVALID_BODY', 'TENANT_SUSPENDED'] as const)(
    'are refused with %s in the usual form of that error',
    async (code) => {
      await add({ operation: '*', kind: 'error', code, message: 'On purpose' });
      const refused = await api('/v1/me');
      expectForm(refused);
      expect(refused.body).toMatchObject({ code, message: 'On purpose' });
    },
  );

  test('over the limit get Retry-After, and the SDK waits for that time', async () => {
    await add({ operation: 'clients.*', kind: 'rate_limited', retry_after: 1 });
    const delays: number[] = [];
    const waiting = new Platform({
      ...{ baseUrl: story.server.baseUrl, apiKey },
      hooks: { onRetry: ({ delay }) => void delays.push(delay) },
    });
    expect((await waiting.clients.list()).data).toEqual([]);
    expect(delays).toHaveLength(1);
    expect(delays[0]).toBeGreaterThanOrEqual(1000);
    waiting.close();
  });

  test('whose response is cut off are sent again by the SDK with the same key, and one client is created', async () => {
    await add({ operation: 'clients.create', kind: 'cut', when: 'after' });
    const retries: string[] = [];
    const trying = new Platform({
      ...{ baseUrl: story.server.baseUrl, apiKey },
      hooks: { onRetry: ({ error }) => void retries.push(error.code) },
    });
    const made = await trying.clients.create({ name: 'Once' }).withMeta();
    expect(retries).toHaveLength(1);
    expect(made.idempotentReplayed).toBe(true);
    expect(await clients()).toEqual([made.data]);
    trying.close();

    // Without the key, the client is created twice.
    await add({ operation: 'clients.create', kind: 'cut', when: 'after' });
    const create = () => api('/v1/clients', { body: { name: 'Twice' } });
    await expect(create()).rejects.toThrow();
    await create();
    expect(await clients()).toHaveLength(3);
  });

  test('that are cut off before they are handled leave nothing', async () => {
    await add({ operation: 'clients.create', kind: 'cut', when: 'before' });
    await expect(api('/v1/clients', { body: { name: 'Never' } })).rejects.toThrow();
    expect(await clients()).toEqual([]);
  });

  test.each(['RATE_LIMITED', 'MAIL_LIMIT_REACHED', 'SERVICE_UNAVAILABLE', 'IDEMPOTENCY_KEY_IN_USE'] as const)(
    'are refused with %s and a time to wait, as by the server itself',
    async (code) => {
      await add({ operation: 'users.invite', kind: 'error', code });
      const refused = await api('/v1/users/usr_01k0z8k3v7e5q2m9t4r6w1x8c0/invite', { method: 'POST' });
      expectRefusal(refused, code);
      expect(refused.headers.get('retry-after')).toBe('1');
    },
  );

  test('get half of a large document, which is sent as bytes', async () => {
    await add({ path: '/openapi.json', kind: 'malformed' });
    const response = await fetch(`${story.server.baseUrl}/openapi.json`);
    const text = await response.text();
    expect([response.status, text.slice(0, 11)]).toEqual([200, '{"openapi":']);
    expect(() => JSON.parse(text)).toThrow();
  });

  test('get JSON that cannot be parsed, after they were handled', async () => {
    await add({ operation: 'clients.create', kind: 'malformed' });
    const response = await fetch(`${story.server.baseUrl}/v1/clients`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Acme' }),
    });
    expect(response.status).toBe(201);
    const text = await response.text();
    expect(text).toMatch(/^\{"/);
    expect(() => JSON.parse(text)).toThrow();
    expect(await clients()).toHaveLength(1);
  });

  test('are delayed by the configured time', async () => {
    await add({ operation: 'me.get', kind: 'delay', ms: 60 });
    const startedAt = performance.now();
    expect((await api('/v1/me')).status).toBe(200);
    // A timer may end slightly early by another clock.
    expect(performance.now() - startedAt).toBeGreaterThan(55);
  });

  test('of other tenants, methods and paths are not affected', async () => {
    const other = await story.server.createTenant();
    await add({ operation: '*', tenant_id: other.tenantId, kind: 'error', code: 'INTERNAL_ERROR', times: 9 });
    await add({ path: '/v1/clients/*', method: 'DELETE', kind: 'error', code: 'INTERNAL_ERROR', times: 9 });
    expect((await api('/v1/me')).status).toBe(200);
    expectRefusal(await apiOf(story.server.baseUrl, other.apiKey)('/v1/me'), 'INTERNAL_ERROR');
    const { body: made } = await api('/v1/clients', { body: { name: 'Acme' } });
    expect((await api(`/v1/clients/${made.id}`)).status).toBe(200);
    expectRefusal(await api(`/v1/clients/${made.id}`, { method: 'DELETE' }), 'INTERNAL_ERROR');
    expect(tenantId).not.toBe(other.tenantId);
  });

  test('of the OAuth endpoints are refused in the OAuth error form', async () => {
    const app = await story.server.createApp();
    const consent = await story.server.grant({ app, tenantId });
    await add({ operation: 'oauth.token', kind: 'error', code: 'INVALID_GRANT' });
    const exchange = () => postForm(`${story.server.baseUrl}/oauth/token`, codeForm(app, consent));
    const { body } = await exchange();
    expect(body).toMatchObject({ code: 'INVALID_GRANT', error: 'invalid_grant' });
    expect(body.error_description).toContain('Injected by the fault');
    const { status } = await exchange();
    expect(status).toBe(200);
    const again = await exchange();
    expectOAuthRefusal(again, 'INVALID_GRANT', 'invalid_grant');
  });

  test('never fail at probability 0, and always fail at 1', async () => {
    await add({ operation: 'me.get', kind: 'error', code: 'INTERNAL_ERROR', probability: 0 });
    for (let i = 0; i < 5; i++) expect((await api('/v1/me')).status).toBe(200);
    await add({ operation: 'me.get', kind: 'error', code: 'INTERNAL_ERROR', probability: 1 });
    expectRefusal(await api('/v1/me'), 'INTERNAL_ERROR');
  });
});

describe('faults', () => {
  test('are removed, one or all', async () => {
    const { body } = await add({ operation: 'me.get', kind: 'error', code: 'INTERNAL_ERROR' });
    await add({ operation: 'me.get', kind: 'malformed' });
    expect((await dev(`/faults/${body.id}`, { method: 'DELETE' })).body).toMatchObject({ id: body.id, deleted: true });
    expectRefusal(await dev(`/faults/${body.id}`, { method: 'DELETE' }), 'NOT_FOUND');
    expect((await dev('/faults', { method: 'DELETE' })).body).toEqual({ object: 'dev_faults', cleared: 1 });
    expect((await api('/v1/me')).status).toBe(200);
  });

  test('are available in process too', async () => {
    const fault = story.server.faults.add({ operation: 'me.get', kind: 'error', code: 'INTERNAL_ERROR' });
    expect(story.server.faults.list()).toEqual([fault]);
    const refused = await platform.me.get().withMeta();
    expect(refused.data.object).toBe('me');
    expect(story.server.faults.list()).toEqual([]);
  });

  test.each([
    [{}, 'kind'],
    [{ kind: 'explode' }, 'kind'],
    [{ kind: 'error', code: 'INTERNAL_ERROR' }, 'operation'],
    [{ kind: 'error', code: 'INTERNAL_ERROR', operation: 'clients.creat' }, 'operation'],
    [{ kind: 'error', code: 'OOPS', operation: '*' }, 'code'],
    [{ kind: 'delay', operation: '*' }, 'ms'],
    [{ kind: 'cut', operation: '*', when: 'between' }, 'when'],
    [{ kind: 'malformed', operation: '*', path: '/v1/*' }, 'operation'],
    [{ kind: 'malformed', operation: '*', method: 'GET' }, 'method'],
    [{ kind: 'malformed', operation: '*', times: 0 }, 'times'],
    [{ kind: 'malformed', operation: '*', probability: 2 }, 'probability'],
    [{ kind: 'duplicate_delivery', operation: '*' }, 'operation'],
    [{ kind: 'delivery_error', status: 200 }, 'status'],
    [{ kind: 'delivery_error', status: 500, error_class: 'dns' }, 'status'],
    [{ kind: 'delivery_error', error_class: 'http_status' }, 'error_class'],
    [{ kind: 'delivery_error', error_class: 'event_deleted' }, 'error_class'],
  ])('with invalid fields are refused: %j', async (fault, field) => {
    expectRefusal(await add(fault), 'INVALID_BODY', [field]);
  });
});

describe('deliveries', () => {
  let receiver: Receiver;
  let endpointId: string;
  beforeEach(async () => {
    receiver = await startReceiver();
    const { body } = await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
    endpointId = body.id;
  });
  afterEach(() => receiver.close());

  const create = async (name: string) => (await api('/v1/clients', { body: { name } })).body;
  const names = () => receiver.received.map(({ body }) => JSON.parse(body).data.name);
  const attempts = async () => (await api(`/v1/webhooks/deliveries?endpoint_id=${endpointId}`)).body.data;

  test('arrive twice, as the same delivery', async () => {
    await add({ kind: 'duplicate_delivery', endpoint_id: endpointId });
    await create('Twice');
    await create('Once');
    await story.server.idle();
    expect(names().sort()).toEqual(['Once', 'Twice', 'Twice']);
    const twice = receiver.received.filter(({ body }) => body.includes('Twice'));
    const ids = twice.map(({ headers }) => headers['x-platform-delivery-id']);
    expect(ids[0]).toBe(ids[1]);
    expect(await attempts()).toHaveLength(2);
  });

  test('arrive out of order', async () => {
    await add({ kind: 'reorder_deliveries', event_type: 'client.created' });
    await create('First');
    await create('Second');
    await story.server.idle();
    expect(names()).toEqual(['Second', 'First']);
  });

  test('a delivery that is sent twice lets the held one go, which would wait for 10 seconds', async () => {
    await add({ kind: 'reorder_deliveries', event_type: 'client.created' });
    await add({ kind: 'duplicate_delivery', event_type: 'client.created' });
    await create('First');
    const since = performance.now();
    await create('Second');
    await story.server.idle();
    expect(names()).toEqual(['Second', 'Second', 'First']);
    expect(performance.now() - since).toBeLessThan(9_000);
  });

  test('fail as if the receiver had responded so, or could not be reached', async () => {
    await story.server.clock.freeze();
    await add({ kind: 'delivery_error', tenant_id: tenantId, status: 503 });
    await add({ kind: 'delivery_error', tenant_id: tenantId, error_class: 'dns' });
    await create('Late');
    await story.server.clock.advance({ seconds: 3600 });
    expect(names()).toEqual(['Late']);
    expect(await attempts()).toMatchObject([
      { attempt: 3, status: 'succeeded' },
      { attempt: 2, status: 'retrying', response_status: null, error_class: 'dns' },
      { attempt: 1, status: 'retrying', response_status: 503, error_class: 'http_status' },
    ]);
  });
});

test('an error of the server has the same error class in the SDK', async () => {
  story.server.faults.add({ operation: 'clients.get', kind: 'error', code: 'CLIENT_NOT_FOUND' });
  const refused: unknown = await platform.clients
    .get('cli_01k0z8k3v7e5q2m9t4r6w1x8c0')
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({ code: 'CLIENT_NOT_FOUND', status: 404 });
});
