import { execute, newId, select, unitOfWork } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { shownFields } from '../support/console.ts';
import { signedInDeveloper } from '../support/developer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { type Visit, visitor } from '../support/visitor.ts';

const story = useServer();

const HOSTILE = `"><script>alert('x')</script><img src=x onerror=alert(1)>`;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  receiver.answer((_req, res) => res.writeHead(500, { 'x-note': '<script>' }).end(HOSTILE));
});
afterAll(() => receiver.close());

/** A developer with a browser and a way to call the API. */
async function newWorld() {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const { cookie, csrfToken } = developer.session;
  const browser = visitor(server.baseUrl, cookie);
  return {
    developer,
    api: apiOf(server.baseUrl, developer.apiKey),
    get: browser.get,
    post: (path: string, fields: Readonly<Record<string, string>> = {}) =>
      browser.post(path, { _csrf: csrfToken, ...fields }),
  };
}

const secretIn = ({ text }: Visit) => /<textarea class="input" id="secret"[^>]*>\s*(\S+)<\/textarea>/.exec(text)?.[1];
const newUrl = () => `${receiver.url}/${crypto.randomUUID()}`;

describe('webhook endpoints in the console', () => {
  test('are created, edited, disabled, enabled, given another secret and deleted like through the API', async () => {
    const { developer, api, get, post } = await newWorld();
    const url = newUrl();
    const created = await post('/console/webhooks/new', { url, description: 'Mine', 'event.client.created': 'on' });
    expect(created.status).toBe(201);
    expect(secretIn(created)).toMatch(/^whsec_/);
    const { body: list } = await api('/v1/webhooks/endpoints');
    expect(list.data).toMatchObject([{ url, description: 'Mine', events: ['client.created'], status: 'enabled' }]);
    const own = `/console/webhooks/${list.data[0].id}`;
    const read = async () => (await api(`/v1/webhooks/endpoints/${list.data[0].id}`)).body;

    // A reload sends the form again.
    const again = await post('/console/webhooks/new', { url, description: '', 'event.*': 'on' });
    expect(again.status).toBe(409);
    expect(again.text).toContain('<a href="#url">');

    expect((await get(own)).text).toContain('Every endpoint that subscribes to its type receives it.');
    const opened = shownFields(await get(`${own}/edit`));
    const edit = { seen: opened['seen'] ?? '', url, description: '', 'event.*': 'on' };
    expect((await post(`${own}/edit`, edit)).location).toBe(`${own}?done=saved`);
    // Another tab has the form of before: it would remove the change, and is shown again as typed.
    const stale = await post(`${own}/edit`, { ...opened, description: 'Theirs' });
    expect(stale.status).toBe(409);
    expect(stale.text).toContain('has changed since you opened the form');
    expect(shownFields(stale)).toMatchObject({ description: 'Theirs' });
    expect(await read()).toMatchObject({ description: null, events: ['*'] });
    expect((await post(`${own}/status`, { status: 'disabled' })).status).toBe(303);
    expect(await read()).toMatchObject({ status: 'disabled', disabled_reason: 'disabled by request' });
    expect((await get(own)).text).toContain('This endpoint is disabled');
    await post(`${own}/status`, { status: 'enabled' });
    expect(await read()).toMatchObject({ status: 'enabled' });

    const seen = /name="seen" value="([^"]*)"/.exec((await get(`${own}/secret`)).text)?.[1] ?? '';
    const rotated = await post(`${own}/secret`, { seen, expires_in: '3600' });
    expect(secretIn(rotated)).toMatch(/^whsec_/);
    expect(secretIn(rotated)).not.toBe(secretIn(created));
    expect((await post(`${own}/secret`, { seen, expires_in: '3600' })).status).toBe(409);

    expect((await post(`${own}/delete`)).location).toBe('/console/webhooks?done=deleted');
    expect((await get(own)).status).toBe(404);
    const { body: trail } = await api('/v1/audit/events');
    const mine = trail.data.filter(({ actor }: { actor: { id: string } }) => actor.id === developer.id);
    expect(mine.map(({ action }: { action: string }) => action)).toEqual([
      'webhook_endpoint.deleted',
      'webhook_endpoint.secret_rotated',
      ...['webhook_endpoint.updated', 'webhook_endpoint.updated', 'webhook_endpoint.updated'],
      'webhook_endpoint.created',
    ]);
  });

  test('that are refused are shown again as typed, with an error beside each field', async () => {
    const { api, post } = await newWorld();
    const { status, text } = await post('/console/webhooks/new', { url: '', description: HOSTILE });
    expect(status).toBe(400);
    expect([...text.matchAll(/class="error" id="(\w+)-problem"/g)].map(([, field]) => field)).toEqual([
      'url',
      'events',
    ]);
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;');
    const ftp = await post('/console/webhooks/new', { url: 'ftp://x.example', 'event.*': 'on' });
    expect(ftp.text).toContain('<a href="#url">The URL must');
    expect(text).not.toContain('<script>alert');
    expect((await api('/v1/webhooks/endpoints')).body.data).toEqual([]);
  });
});

describe('an event in the console', () => {
  test('shows its attempts, why they failed, and is sent again; nothing that a receiver sends becomes markup', async () => {
    const { api, get, post } = await newWorld();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    await api('/v1/clients', { body: { name: HOSTILE } });
    const { body: events } = await api('/v1/webhooks/events');
    const eventId = events.data[0].id;
    const deliveries = async () => (await api(`/v1/webhooks/deliveries?event_id=${eventId}`)).body.data;
    await expect
      .poll(async () => (await deliveries()).some(({ status }: { status: string }) => status === 'retrying'))
      .toBe(true);
    const failed = (await deliveries()).find(({ status }: { status: string }) => status === 'retrying');

    const delivery = await get(`/console/webhooks/deliveries/${failed.id}`);
    expect(delivery.text).toContain('The receiver answered 500');
    expect(delivery.text).toContain('&lt;script&gt;alert(');
    const event = await get(`/console/events/${eventId}`);
    expect(event.text).toContain('Attempt 1');
    // The endpoints that did not get it, with the reason, and a button where it can be sent.
    const { body: deaf } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['group.created'] } });
    const { body: late } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    await api(`/v1/clients/${events.data[0].data.id}`, { method: 'PATCH', body: { name: 'Second' } });
    const [update] = (await api('/v1/webhooks/events')).body.data;
    await api(`/v1/webhooks/endpoints/${late.id}`, { method: 'PATCH', body: { status: 'disabled' } });
    const unsentOf = async (id: string) =>
      (await get(`/console/events/${id}`)).text.match(/<h3>Not sent to[\s\S]*?<h3>/)?.[0] ?? '';
    expect(await unsentOf(update.id)).toMatch(
      new RegExp(`${deaf.id}"[^\\n]*\\n[^<]*<p class="hint">It does not subscribe`),
    );
    expect(await unsentOf(update.id)).not.toContain(late.id);
    await api(`/v1/webhooks/endpoints/${late.id}`, { method: 'PATCH', body: { status: 'enabled' } });
    expect(await unsentOf(eventId)).toMatch(/It was created after the event\.[\s\S]*>Send to this endpoint</);
    for (const { id } of [deaf, late]) await api(`/v1/webhooks/endpoints/${id}`, { method: 'DELETE' });
    // Windows of many tabs are told apart by their titles.
    expect(delivery.text).toMatch(/<title>Attempt 1 of client.created – http:[^<]* – Plat</);
    expect(event.text).toContain('<title>client.created – Events – Plat</title>');
    expect(event.text).toContain('<a class="skip" href="#selected">Skip to details</a>');
    const filtered = async (state: string) => (await get(`/console/webhooks/${endpoint.id}?status=${state}`)).text;
    expect(await filtered('retrying')).toContain(`/console/webhooks/deliveries/${failed.id}?status=retrying"`);
    expect(await filtered('retrying')).toContain(`--endpoint-id ${endpoint.id} --status retrying`);
    expect(await filtered('succeeded')).toContain('No delivery matches');
    for (const { text } of [delivery, event]) {
      expect(text).not.toMatch(/<script>|<img|<[^>]* onerror=/);
      expect(Buffer.byteLength(text)).toBeLessThan(50_000);
    }

    const before = (await deliveries()).length;
    const resent = await post(`/console/events/${eventId}/replay`, { endpoint_id: endpoint.id });
    expect(resent.location).toBe(`/console/events/${eventId}?done=replayed`);
    expect((await deliveries()).length).toBeGreaterThan(before);
    const { body: trail } = await api('/v1/audit/events?action=event.replayed');
    expect(trail.data[0].actor.type).toBe('developer');
    const entry = await get(`/console/audit/${trail.data[0].id}`);
    expect(entry.text).toContain(endpoint.id);
  });
});

describe('the rooms', () => {
  test('never show or change an object of another tenant', async () => {
    const { developer, api } = await newWorld();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    const made = await api('/v1/clients', { body: { name: 'Theirs' } });
    const firstOf = async (path: string): Promise<string> => (await api(path)).body.data[0].id;
    const eventId = await firstOf('/v1/webhooks/events');
    const deliveryId = await firstOf('/v1/webhooks/deliveries');
    const auditId = await firstOf('/v1/audit/events');
    const requestId = made.headers.get('x-request-id') ?? '';
    await expect.poll(async () => (await api(`/v1/requests/${requestId}`)).status).toBe(200);
    const stranger = await newWorld();
    const own = `/console/webhooks/${endpoint.id}`;
    const paths = [
      `/console/requests/${requestId}`,
      `/console/events/${eventId}`,
      `/console/webhooks/deliveries/${deliveryId}`,
      `/console/audit/${auditId}`,
      ...[own, `${own}/edit`, `${own}/secret`, `${own}/delete`],
    ];
    for (const path of paths) expect((await stranger.get(path)).status, path).toBe(404);
    const rows = () =>
      Promise.all(
        ['webhook_endpoints', 'audit_events'].map((table) =>
          select(story.server.db, `SELECT * FROM ${table} WHERE tenant_id = :tenantId`, {
            tenantId: developer.tenantId,
          }),
        ),
      );
    const before = JSON.stringify(await rows());
    const fields = { url: newUrl(), 'event.*': 'on', status: 'disabled', expires_in: '0', seen: '' };
    for (const action of ['edit', 'status', 'secret', 'delete']) {
      expect((await stranger.post(`${own}/${action}`, fields)).status, action).toBe(404);
    }
    expect((await stranger.post(`/console/events/${eventId}/replay`)).status).toBe(404);
    expect(JSON.stringify(await rows())).toBe(before);
    expect(before).toContain(endpoint.id);
    for (const list of ['/console/requests', '/console/events', '/console/webhooks', '/console/audit']) {
      expect((await stranger.get(list)).text, list).not.toContain(endpoint.id);
    }
  });

  test('page through a list by cursor and keep the filters in the links', async () => {
    const { api, get } = await newWorld();
    for (let i = 0; i < 27; i++) await api('/v1/clients', { body: { name: `Client ${i}` } });
    const first = await get('/console/events?type=client.created&since=');
    const older = /<a class="btn" href="(\/console\/events\?[^"]*starting_after=[^"]*)">Older/.exec(first.text)?.[1];
    expect(older).toContain('type=client.created');
    const second = await get((older ?? '').replaceAll('&amp;', '&'));
    expect(second.text.match(/<tr[^>]*><td class="nowrap muted">/g)).toHaveLength(2);
    expect(second.text).toContain('>Newer</a>');
    expect(second.text).not.toContain('>Older</a>');
    const nonsense = await get('/console/events?type=nonsense');
    expect(nonsense.status).toBe(200);
    expect(nonsense.text).toContain('id="filter-type-problem"');
    expect((await get('/console/events?type=group.created')).text).toContain('No event matches');
  });

  test('begin a list at an earlier time, entered like in a form, and count the rows of the page', async () => {
    const { api, get } = await newWorld();
    for (let i = 0; i < 27; i++) await api('/v1/clients', { body: { name: `Client ${i}` } });
    expect((await get('/console/events')).text).toContain('<span>25 events on this page</span>');
    const list = (name: string, before: string) =>
      get(`/console/${name}?${new URLSearchParams({ created_before: before })}`);
    const none = { events: 'No event matches', audit: 'No entry matches', requests: 'No request matches' };
    for (const [name, words] of Object.entries(none)) {
      expect((await list(name, '2h')).text, name).toContain(words);
      expect((await list(name, '2999-01-31 12:00 UTC')).text, name).not.toContain(words);
      expect((await list(name, '2999-01-31 12:00 +02:00')).text, name).not.toMatch(new RegExp(`${words}|-problem"`));
      expect((await get(`/console/${name}?created_before=2h`)).text, name).toContain('>Before (UTC)</label>');
      expect((await list(name, 'yesterday')).text, name).toContain('id="filter-created_before-problem"');
    }
    // The commands below a list have its times, as the API accepts them.
    const { text } = await get(
      '/console/events?type=client.created&created_before=2999-01-31%2013:00%20%2B01:00&since=1h',
    );
    const options =
      /--type client\.created --created-after 20\S+Z --created-before &#39;2999-01-31T13:00:00\+01:00&#39;</;
    expect(text).toMatch(new RegExp(`plat webhooks events list ${options.source}`));
    expect(text).toMatch(
      /type=client\.created&amp;created_after=20[^&]+&amp;created_before=2999-01-31T13%3A00%3A00%2B01%3A00/,
    );
    expect((await list('audit', 'yesterday')).text).toContain('>plat audit events list<');
    // A new request is not before an earlier time.
    expect((await get('/console/requests')).text).toContain('data-tail=');
    expect((await list('requests', '2h')).text).not.toContain('data-tail=');
    expect((await list('audit', '2h')).text).not.toContain('client.created</a>');
    expect((await get('/console/audit/export.csv?created_before=2h')).text).not.toContain('client.created');
    expect((await get('/console/audit/export.csv?created_before=2999-01-31')).text).toContain('client.created');
  });

  test('begin with an overview whose steps complete when they have happened', async () => {
    const { developer, api, get } = await newWorld();
    const done = async () =>
      [...(await get('/console')).text.matchAll(/<li class="done"><b>([^<]*)</g)].map(([, words]) => words);
    expect(await done()).toEqual([]);
    const empty = (await get('/console')).text;
    expect(empty).toContain('Sample of the figures');
    // The next step is on the page once.
    expect(empty.match(/>npx @plat\/cli me</g)).toHaveLength(1);
    await api('/v1/clients', { body: { name: 'Acme' } });
    await api('/v1/clients/unknown');
    await expect.poll(done).toEqual(['Make a request', 'Create a client']);
    await expect.poll(async () => (await get('/console')).text).toContain('CLIENT_NOT_FOUND');
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    await api('/v1/clients', { body: { name: 'Second' } });
    await expect.poll(async () => (await get('/console')).text).toContain('0 of 1 attempts in 24 h');
    expect(await done()).toEqual(['Make a request', 'Create a client', 'Add a webhook endpoint']);
    expect((await get('/console')).text).toContain(`/console/webhooks/${endpoint.id}`);
    expect((await get('/console')).text).not.toContain('Sample of the figures');
    const { tenantId } = developer;
    const old = 'UPDATE webhook_deliveries SET attempted_at = attempted_at - 90000000 WHERE tenant_id = :tenantId';
    await execute(story.server.db, old, { tenantId });
    expect((await get('/console')).text).not.toContain('attempts in 24 h');
  });
});

describe('the audit trail', () => {
  test('is saved as CSV and as NDJSON, whole and by its filters', async () => {
    const { developer, api, get } = await newWorld();
    const { tenantId } = developer;
    await api('/v1/clients', { body: { name: '=HYPERLINK("x")' } });
    // More entries than one batch.
    for (let n = 0; n < 25; n++) {
      const names = Array.from({ length: 5 }, (_, i) => api('/v1/clients', { body: { name: `Client ${n} ${i}` } }));
      await Promise.all(names);
    }
    const { body: trail } = await api('/v1/audit/events?limit=100');
    const page = await get('/console/audit?action=client.created');
    expect(page.text).toContain('href="/console/audit/export.csv?action=client.created"');

    const ndjson = await get('/console/audit/export.ndjson');
    const day = new Date().toISOString().slice(0, 4);
    expect(ndjson.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="audit-${tenantId}-${day}-\\d\\d-\\d\\d\\.ndjson"$`),
    );
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson');
    const entries = ndjson.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.slice(0, 100)).toEqual(trail.data);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries.length).toBeGreaterThan(126);

    const csv = await get('/console/audit/export.csv?action=client.created');
    const lines = csv.text.trim().split('\n');
    expect(lines).toHaveLength(127);
    expect(lines[0]).toBe(
      'id,created_at,action,actor_type,actor_id,target_type,target_id,request_id,session_id,ip,changes',
    );
    expect(lines.every((line) => line.includes(',client.created,') || line === lines[0])).toBe(true);
    const none = await get('/console/audit/export.csv?action=client.renamed');
    expect(none.text).toBe(`${lines[0]}\n`);
    const lastHour = await get('/console/audit/export.csv?action=client.created&since=1h');
    expect(lastHour.text).toBe(csv.text);
  });

  test('is saved to its end when a thousand other entries precede the ones that match', async () => {
    const { developer, api, get } = await newWorld();
    const { tenantId: tenant_id } = developer;
    const { body: client } = await api('/v1/clients', { body: { name: 'Acme' } });
    const at = Date.now() + 1000;
    const later = Array.from({ length: 1_000 }, () => ({
      ...{ tenant_id, id: newId('audit_event', at), actor_type: 'system', actor_id: null, action: 'client.updated' },
      ...{ target_type: 'client', target_id: client.id, changes: null, request_id: null, session_id: null, ip: null },
      created_at: at,
    }));
    const { db } = story.server;
    await unitOfWork(db, (transaction) => db.models.auditEvent.bulkCreate(later, { transaction }));
    const { text } = await get(`/console/audit/export.ndjson?action=client.created&target_id=${client.id}`);
    expect(JSON.parse(text)).toMatchObject({ action: 'client.created', target: { id: client.id } });
  });
});

test('a request that the log no longer has is explained, with what is still recorded', async () => {
  const { developer, api, get } = await newWorld();
  const { headers } = await api('/v1/clients', { body: { name: 'Acme' } });
  const id = headers.get('x-request-id') ?? '';
  await expect.poll(async () => (await get(`/console/requests/${id}`)).status).toBe(200);
  const { body: trail } = await api('/v1/audit/events?action=client.created');
  const entry = await get(`/console/audit/${trail.data[0].id}`);
  expect(entry.text).toContain(`href="/console/requests/${id}"`);
  const { tenantId } = developer;
  await execute(story.server.db, 'DELETE FROM requests WHERE tenant_id = :tenantId AND id = :id', { tenantId, id });
  const gone = await get(`/console/requests/${id}`);
  expect(gone.status).toBe(404);
  expect(gone.text).toContain('It keeps the latest 10,000 requests, for 7 days.');
  expect(gone.text).toContain(`href="/console/trace?id=${id}"`);
  expect((await get(`/console/trace?id=${id}`)).text).toContain('client.created');
  expect((await get('/console/requests/unknown')).text).toContain('<h1>Page not found</h1>');
});
