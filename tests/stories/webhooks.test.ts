import { createHmac } from 'node:crypto';
import { HEADERS, isId, LIMITS, type WebhookDelivery } from '@plat/contract';
import { select } from '@plat/server/testing';
import { createVerifier } from '@plat/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let receiver: Receiver;

beforeEach(async () => {
  api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const register = async (body: object = {}) =>
  (await api('/v1/webhooks/endpoints', { body: { url: `${receiver.url}/hook`, events: ['*'], ...body } })).body;
const patch = (id: string, body: unknown) => api(`/v1/webhooks/endpoints/${id}`, { method: 'PATCH', body });
const createClient = async (name = 'Acme') => (await api('/v1/clients', { body: { name } })).body;

describe('endpoints', () => {
  test('a create shows the signing secret, and later reads do not', async () => {
    const { secret, ...endpoint } = await register({ description: 'Mine', events: ['client.created'] });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9]{49}$/);
    expect(endpoint).toEqual({
      object: 'webhook_endpoint',
      id: expect.stringMatching(/^whe_/),
      url: `${receiver.url}/hook`,
      description: 'Mine',
      events: ['client.created'],
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      paused_until: null,
      missed_since: null,
      created_at: expect.any(String),
      updated_at: endpoint.created_at,
    });
    expect((await api(`/v1/webhooks/endpoints/${endpoint.id}`)).body).toEqual(endpoint);
    expect((await api('/v1/webhooks/endpoints')).body.data).toEqual([endpoint]);
    expect((await patch(endpoint.id, { description: null })).body).not.toHaveProperty('secret');
  });

  test('the secret is stored sealed', async () => {
    const { secret, id } = await register();
    const [row] = await select<{ secret: Uint8Array }>(
      story.server.db,
      'SELECT secret FROM webhook_endpoints WHERE id = :id',
      { id },
    );
    expect(Buffer.from(row?.secret ?? []).length).toBeGreaterThan(secret.length);
    expect(Buffer.from(row?.secret ?? []).includes(secret)).toBe(false);
  });

  test.each([
    ['no url', { url: undefined }, 'url'],
    ['a url that is none', { url: 'nonsense' }, 'url'],
    ['another scheme', { url: 'ftp://example.com/' }, 'url'],
    ['a user in the url', { url: 'https://a:b@example.com/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['the metadata address', { url: 'http://169.254.169.254/latest' }, 'url'],
    ['a private address as a number', { url: 'https://167772161/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['client.made'] }, 'events.0'],
    ['an unknown field', { secret: 'mine' }, 'secret'],
  ])('%s is INVALID_BODY', async (_title, body, field) => {
    const answer = await api('/v1/webhooks/endpoints', {
      body: { url: 'https://example.com/', events: ['*'], ...body },
    });
    expectRefusal(answer, 'INVALID_BODY', [field]);
  });

  test('the same URL twice is WEBHOOK_URL_IN_USE, in any spelling; another tenant may have it', async () => {
    const first = await register({ url: 'https://example.com/hook' });
    for (const url of ['https://example.com/hook', 'HTTPS://EXAMPLE.com:443/hook']) {
      expectRefusal(await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } }), 'WEBHOOK_URL_IN_USE');
    }
    const second = await register({ url: 'https://example.com/Hook' });
    expectRefusal(await patch(second.id, { url: first.url }), 'WEBHOOK_URL_IN_USE');
    const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    expect((await other('/v1/webhooks/endpoints', { body: { url: first.url, events: ['*'] } })).status).toBe(201);
  });

  test('the fifty-first endpoint is WEBHOOK_ENDPOINT_LIMIT, also when many are created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: LIMITS.quotas.webhook_endpoints.production + 5 }, (_, i) =>
        api('/v1/webhooks/endpoints', { body: { url: `https://example.com/${i}`, events: ['*'] } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(LIMITS.quotas.webhook_endpoints.production);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 'WEBHOOK_ENDPOINT_LIMIT');
  });

  test('an unknown endpoint is WEBHOOK_ENDPOINT_NOT_FOUND for every operation', async () => {
    const path = '/v1/webhooks/endpoints/whe_01hzzzzzzzzzzzzzzzzzzzzzzz';
    expectRefusal(await api(path), 'WEBHOOK_ENDPOINT_NOT_FOUND');
    expectRefusal(await api(path, { method: 'PATCH', body: {} }), 'WEBHOOK_ENDPOINT_NOT_FOUND');
    expectRefusal(await api(path, { method: 'DELETE' }), 'WEBHOOK_ENDPOINT_NOT_FOUND');
    expectRefusal(await api(`${path}/rotate_secret`, { body: {} }), 'WEBHOOK_ENDPOINT_NOT_FOUND');
    expectRefusal(await api('/v1/webhooks/events/evt_x'), 'WEBHOOK_EVENT_NOT_FOUND');
    expectRefusal(await api('/v1/webhooks/deliveries/del_x'), 'WEBHOOK_DELIVERY_NOT_FOUND');
  });

  test('every change is in the audit trail, without a secret', async () => {
    const { id, secret } = await register();
    await patch(id, { status: 'disabled' });
    const rotated = (await api(`/v1/webhooks/endpoints/${id}/rotate_secret`, { body: {} })).body;
    await api(`/v1/webhooks/endpoints/${id}`, { method: 'DELETE' });
    const trail = await select<{ action: string; changes: string | null }>(
      story.server.db,
      'SELECT action, changes FROM audit_events WHERE target_id = :id ORDER BY id',
      { id },
    );
    expect(trail.map(({ action }) => action)).toEqual([
      'webhook_endpoint.created',
      'webhook_endpoint.updated',
      'webhook_endpoint.secret_rotated',
      'webhook_endpoint.deleted',
    ]);
    expect(JSON.stringify(trail)).not.toMatch(new RegExp(`${secret}|${rotated.secret}`));
  });
});

describe('deliveries', () => {
  test('client.created arrives signed, as committed, with the headers of the specification', async () => {
    const { secret, id: endpointId } = await register({ events: ['client.created'] });
    const client = await createClient();
    await receiver.waitFor(1);
    const [delivery] = receiver.received;
    if (!delivery) throw new Error('nothing arrived');
    const event = createVerifier({ secrets: [secret] }).verify(delivery.body, delivery.headers);
    expect(event).toMatchObject({ object: 'event', type: 'client.created', data: client });
    expect(delivery.headers).toMatchObject({
      'content-type': 'application/json',
      [HEADERS.eventType]: 'client.created',
      [HEADERS.eventId]: event.id,
    });
    expect((await api(`/v1/webhooks/events/${event.id}`)).body).toEqual(event);

    // Verifies by the text of the specification, without code of this project.
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(delivery.headers[HEADERS.signature])) ?? [];
    expect(createHmac('sha256', secret).update(`${t}.${delivery.body}`).digest('hex')).toBe(v1);
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(30);

    await story.server.idle();
    const deliveryId = delivery.headers[HEADERS.deliveryId];
    expect(isId('webhook_delivery', deliveryId)).toBe(true);
    expect((await api(`/v1/webhooks/deliveries/${deliveryId}`)).body).toEqual({
      object: 'webhook_delivery',
      id: deliveryId,
      event_id: event.id,
      event_type: 'client.created',
      endpoint_id: endpointId,
      attempt: 1,
      status: 'succeeded',
      response_status: 204,
      response_headers: expect.arrayContaining([{ name: 'Date', value: expect.any(String) }]),
      response_body: expect.toBeOneOf([null, '']),
      error_class: null,
      error: null,
      remote_address: '127.0.0.1',
      duration_ms: expect.any(Number),
      timings: {
        dns_ms: null,
        connect_ms: expect.any(Number),
        tls_ms: null,
        first_byte_ms: expect.any(Number),
        total_ms: expect.any(Number),
      },
      scheduled_at: expect.any(String),
      attempted_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
  });

  test('an endpoint gets the events that it subscribes to, once, also when it lists a type and all', async () => {
    await register({ events: ['client.updated', '*', 'client.updated'] });
    await register({ url: `${receiver.url}/deleted`, events: ['client.deleted'] });
    const client = await createClient();
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'Acme 2' } });
    await api(`/v1/clients/${client.id}`, { method: 'DELETE' });
    await receiver.waitFor(4);
    await story.server.idle();
    const got = receiver.received.map(({ path, headers }) => `${path} ${headers[HEADERS.eventType]}`).sort();
    expect(got).toEqual([
      '/deleted client.deleted',
      '/hook client.created',
      '/hook client.deleted',
      '/hook client.updated',
    ]);
  });

  test('a disabled endpoint gets nothing; after it is enabled it gets new events', async () => {
    const { id } = await register();
    expect((await patch(id, { status: 'disabled' })).body).toMatchObject({
      status: 'disabled',
      disabled_reason: expect.any(String),
    });
    await createClient('Missed');
    await patch(id, { status: 'enabled' });
    await createClient('Seen');
    await receiver.waitFor(1);
    await story.server.idle();
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.name)).toEqual(['Seen']);
  });

  test('a refused change sends nothing', async () => {
    await register();
    await createClient('Acme');
    expectRefusal(await api('/v1/clients', { body: { name: 'Acme', slug: 'acme' } }), 'SLUG_IN_USE');
    await receiver.waitFor(1);
    await story.server.idle();
    expect(receiver.received).toHaveLength(1);
  });

  test('a failed attempt is stored as retrying, with the response, and the next one is scheduled 30 s later', async () => {
    await register({ events: ['client.created'] });
    receiver.answer((_req, res) => res.writeHead(503, { 'content-type': 'text/plain' }).end('down <b>for</b> now'));
    await createClient();
    await receiver.waitFor(1);
    await story.server.idle();
    const { data } = (await api('/v1/webhooks/deliveries')).body;
    const [next, first] = data;
    expect(first).toMatchObject({
      attempt: 1,
      status: 'retrying',
      response_status: 503,
      response_headers: expect.arrayContaining([{ name: 'content-type', value: 'text/plain' }]),
      response_body: 'down <b>for</b> now',
      error_class: 'http_status',
      error: null,
    });
    const unsent = {
      attempted_at: null,
      error_class: null,
      timings: null,
      remote_address: null,
      response_headers: null,
    };
    expect(next).toMatchObject({ attempt: 2, status: 'pending', event_id: first.event_id, ...unsent });
    expect(next.id).not.toBe(first.id);
    const delay = Date.parse(next.scheduled_at) - Date.parse(first.attempted_at);
    expect(delay).toBeGreaterThanOrEqual(30_000);
    expect(delay).toBeLessThan(45_000);
    expect((await api(`/v1/webhooks/deliveries?status=pending&event_id=${first.event_id}`)).body.data).toEqual([next]);
    expect((await api(`/v1/webhooks/deliveries?endpoint_id=${first.endpoint_id}&limit=1`)).body.data).toEqual([next]);
  });

  test('a redirect is not followed and counts as failed', async () => {
    await register();
    receiver.answer((req, res) =>
      req.url === '/hook' ? res.writeHead(302, { location: '/elsewhere' }).end() : res.writeHead(204).end(),
    );
    await createClient();
    await receiver.waitFor(1);
    await story.server.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
    expect((await api('/v1/webhooks/deliveries?status=retrying')).body.data).toHaveLength(1);
  });

  test('during a rotation with overlap both secrets sign; without it only the new one', async () => {
    const { id, secret: old } = await register();
    const rotate = async (body: object) =>
      (await api(`/v1/webhooks/endpoints/${id}/rotate_secret`, { body })).body.secret;
    const second = await rotate({ expires_in: 3600 });
    await createClient('During');
    await receiver.waitFor(1);
    const third = await rotate({});
    await createClient('After');
    await receiver.waitFor(2);
    const verifies = (i: number, secret: string) => {
      const { body, headers } = receiver.received[i] ?? { body: '', headers: {} };
      try {
        return createVerifier({ secrets: [secret] }).verify(body, headers).object === 'event';
      } catch {
        return false;
      }
    };
    expect([verifies(0, old), verifies(0, second)]).toEqual([true, true]);
    expect([verifies(1, old), verifies(1, second), verifies(1, third)]).toEqual([false, false, true]);
    expectRefusal(
      await api(`/v1/webhooks/endpoints/${id}/rotate_secret`, { body: { expires_in: 86_401 } }),
      'INVALID_BODY',
      ['expires_in'],
    );
  });

  test('due deliveries for a deleted endpoint end', async () => {
    const { id } = await register();
    receiver.answer((_req, res) => res.writeHead(500).end());
    await createClient();
    await receiver.waitFor(1);
    await story.server.idle();
    await api(`/v1/webhooks/endpoints/${id}`, { method: 'DELETE' });
    await createClient('Unseen');
    await story.server.idle();
    expect(receiver.received).toHaveLength(1);
  });

  test('events can be found by type and by time', async () => {
    const client = await createClient();
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'B' } });
    const list = async (query: string) => (await api(`/v1/webhooks/events?${query}`)).body.data;
    const [updated, created] = await list('');
    expect(await list('type=client.created')).toEqual([created]);
    expect(await list(`created_after=${created.created}`)).toEqual([updated]);
    expect(await list(`created_before=${updated.created}`)).toEqual([created]);
    expect(await list(`created_before=${created.created}`)).toEqual([]);
    expectRefusal(await api('/v1/webhooks/events?created_after=yesterday'), 'INVALID_REQUEST', ['created_after']);
    expectRefusal(await api('/v1/webhooks/deliveries?event_id=nonsense'), 'INVALID_REQUEST', ['event_id']);
  });

  test('deliveries can be found by time, together with the other filters', async () => {
    const { id } = await register();
    receiver.answer((_req, res) => res.writeHead(500).end());
    const client = await createClient();
    await story.server.idle();
    await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { name: 'B' } });
    await story.server.idle();
    const list = async (query: string): Promise<readonly WebhookDelivery[]> =>
      (await api(`/v1/webhooks/deliveries?${query}`)).body.data;
    const all = await list('');
    // Two first attempts, and the next attempt of each.
    expect(all.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 2, 2]);
    for (const at of new Set(all.map(({ created_at }) => created_at))) {
      const after = all.filter(({ created_at }) => created_at > at);
      expect(await list(`created_after=${at}`), at).toEqual(after);
      const before = all.filter(({ created_at }) => created_at < at);
      expect(await list(`created_before=${at}`), at).toEqual(before);
      const due = after.filter(({ status }) => status === 'pending');
      expect(await list(`endpoint_id=${id}&status=pending&created_after=${at}`), at).toEqual(due);
    }
    expectRefusal(await api('/v1/webhooks/deliveries?created_after=yesterday'), 'INVALID_REQUEST', ['created_after']);
  });
});
