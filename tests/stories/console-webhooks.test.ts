import { DatabaseSync } from 'node:sqlite';
import { onStatement } from '@plat/server/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { developerConsole, openConsole, shownFields } from '../support/console.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
const newWorld = () => developerConsole(story.server);

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
const newUrl = () => `${receiver.url}/${crypto.randomUUID()}`;

describe('an endpoint of a sandbox', () => {
  test('receives a test event with sample data, signed and logged like any other', async () => {
    const { developer, api, get, post } = await newWorld();
    const url = newUrl();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url, events: ['group.deleted'] } });
    const own = `/console/webhooks/${endpoint.id}`;
    expect((await get(own)).text).toMatch(/<option>group\.deleted<\/option><\/select>/);
    expect((await get('/console')).text).toContain('Send test event');
    const sent = await post(`${own}/test`, { type: 'group.deleted' });
    expect(sent.location).toMatch(/^\/console\/trace\?id=req_\w{26}$/);
    const mine = () => receiver.received.filter(({ path }) => url.endsWith(path));
    await expect.poll(() => mine().length).toBe(1);
    expect(JSON.parse(mine()[0]?.body ?? '')).toMatchObject({ type: 'group.deleted', tenant_id: developer.tenantId });
    // The trace names the sample, shows the delivery, and each of its links leads to something.
    await expect.poll(async () => (await get(sent.location)).text).toContain('Delivered');
    const trace = (await get(sent.location)).text;
    for (const words of ['<h1>Trace of a test event', 'its data is a sample', 'webhook_endpoint.tested', url]) {
      expect(trace).toContain(words);
    }
    const links = [...trace.slice(trace.indexOf('<main')).matchAll(/href="(\/console\/[^"]*)"/g)].map(
      ([, href]) => href,
    );
    expect(links.length).toBeGreaterThan(4);
    for (const href of new Set(links)) expect((await get(href ?? '')).status, href).toBe(200);
    const eventId = JSON.parse(mine()[0]?.body ?? '').id;
    const event = await get(`/console/events/${eventId}`);
    expect([event.text.includes('its data is a sample'), event.text.includes('<dt>Object</dt>')]).toEqual([
      true,
      false,
    ]);
    expect((await post(`${own}/test`, { type: 'no.such' })).status).toBe(400);
    const { body: trail } = await api(`/v1/audit/events?target_id=${endpoint.id}`);
    expect(trail.data[0]).toMatchObject({ action: 'webhook_endpoint.tested', actor: { type: 'developer' } });
    await post(`${own}/status`, { status: 'disabled' });
    expect((await post(`${own}/test`, { type: 'group.deleted' })).status).toBe(422);
  });

  test('completes the step of a received event, which no backlog of failures opens again', async () => {
    const { api, get } = await newWorld();
    const url = newUrl();
    await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
    await api('/v1/clients', { body: { name: 'Received' } });
    const done = '<li class="done"><b>Receive an event</b>';
    await expect.poll(async () => (await get('/console')).text).toContain(done);
    const failing = newUrl();
    receiver.answer((_req, res, { path }) => res.writeHead(failing.endsWith(path) ? 500 : 204).end());
    await api('/v1/webhooks/endpoints', { body: { url: failing, events: ['client.updated'] } });
    const { body: clients } = await api('/v1/clients');
    for (let i = 0; i < 101; i++) {
      await api(`/v1/clients/${clients.data[0].id}`, { method: 'PATCH', body: { name: `Failing ${i}` } });
    }
    const { body: newest } = await api('/v1/webhooks/deliveries?limit=100');
    expect(newest.data.map(({ status }: { status: string }) => status)).not.toContain('succeeded');
    expect((await get('/console')).text).toContain(done);
  });

  test('that was disabled gets the missed events by a button, and a replay shows its progress', async () => {
    const { api, get, post } = await newWorld();
    const url = newUrl();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
    const own = `/console/webhooks/${endpoint.id}`;
    await post(`${own}/status`, { status: 'disabled' });
    await api('/v1/clients', { body: { name: 'Missed' } });
    expect((await get(own)).text).toContain('After you enable it, you can send them here.');
    await post(`${own}/status`, { status: 'enabled' });
    const page = await get(`${own}?done=enabled`);
    expect(page.text).toContain('Send missed events');
    const { endpoint_id = '', since = '' } = shownFields(page);
    const created = await post('/console/webhooks/replays/new', { endpoint_id, since });
    expect(created.location).toMatch(/^\/console\/webhooks\/replays\/rpl_\w{26}\?done=created$/);
    const replay = created.location.split('?')[0] ?? '';
    await expect
      .poll(async () => (await get(replay)).text)
      .toContain('Completed. 1 of 1 events examined, 1 deliveries');
    await expect.poll(() => receiver.received.filter(({ path }) => url.endsWith(path)).length).toBe(1);
    expect((await get(own)).text).not.toContain('Send missed events');
    // Without a choice of types, it is for all.
    expect((await get(replay)).text).toContain('<dt>Event types</dt><dd><span class="muted">All</span></dd>');
    expect((await get('/console/webhooks/replays/new')).text).toContain('<option value="" selected>Every endpoint<');
    expect((await get('/console/webhooks/replays')).text).toContain(replay);
    const ended = await post(`${replay}/cancel`);
    expect([ended.status, ended.text.includes('there is nothing left to end')]).toEqual([422, true]);
  });

  test('offers no resend while it is disabled; after it is deleted, an attempt leads to the trace', async () => {
    const { api, get, post } = await newWorld();
    const url = newUrl();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
    const own = `/console/webhooks/${endpoint.id}`;
    await api('/v1/clients', { body: { name: 'Attempted' } });
    await expect.poll(() => receiver.received.filter(({ path }) => url.endsWith(path)).length).toBe(1);
    const { body: deliveries } = await api(`/v1/webhooks/deliveries?endpoint_id=${endpoint.id}`);
    const { id, event_id: eventId } = deliveries.data[0];
    const pages = [`/console/webhooks/deliveries/${id}`, `/console/events/${eventId}`];
    for (const page of pages) expect((await get(page)).text).toContain('>Resend');
    await post(`${own}/status`, { status: 'disabled' });
    for (const page of pages) expect((await get(page)).text, page).not.toMatch(/>Resend|>Replay to all/);
    await api(`/v1/webhooks/endpoints/${endpoint.id}`, { method: 'DELETE' });
    const attempt = await get(`/console/webhooks/deliveries/${id}`);
    expect([attempt.status, attempt.location]).toEqual([303, `/console/trace?id=${id}`]);
    expect((await get(attempt.location)).text).toContain(`id="${id}"`);
  });

  test('has a list of deliveries that is narrowed by state and time, and a command for it', async () => {
    const { api, get } = await newWorld();
    const url = newUrl();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url, events: ['client.created'] } });
    const own = `/console/webhooks/${endpoint.id}`;
    await api('/v1/clients', { body: { name: 'Timed' } });
    await expect.poll(async () => (await get(own)).text).toContain('>Succeeded<');
    const list = async (fields: Record<string, string>) => (await get(`${own}?${new URLSearchParams(fields)}`)).text;
    expect(await list({ since: '1h' })).toContain('>client.created</a>');
    for (const label of ['Created', 'Created before (UTC)']) expect(await list({})).toContain(`>${label}</label>`);
    expect(await list({ created_before: '2h' })).toContain('No delivery matches');
    expect(await list({ created_before: '2999-01-31 12:00 UTC', status: 'succeeded' })).toContain('client.created</a>');
    expect(await list({ created_before: 'yesterday' })).toContain('id="filter-created_before-problem"');
    const { body: deliveries } = await api(`/v1/webhooks/deliveries?endpoint_id=${endpoint.id}`);
    // A row keeps the filters of its list.
    const row = `/console/webhooks/deliveries/${deliveries.data[0].id}?since=1h`;
    expect(await list({ since: '1h' })).toContain(row);
    expect((await get(row)).text).toContain('<option value="1h" selected>');
  });

  test('is replayed to by a form with a time window and types, which names what is wrong', async () => {
    const { api, get, submit } = await newWorld();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    const { text } = await get(`/console/webhooks/${endpoint.id}`);
    const path = /href="(\/console\/webhooks\/replays\/new\?[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(shownFields(await get(path))).toMatchObject({ endpoint_id: endpoint.id });
    const wrong = await submit(path, { since: 'yesterday', 'event_types.client.created': 'on' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('<a href="#since">');
    expect(wrong.text).toMatch(/name="event_types\.client\.created" value="on" checked/);
    const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16);
    const created = await submit(path, {
      'event_types.client.created': 'on',
      select: 'failed',
      since: since.replace('T', ' '),
      until: '1m',
    });
    const { body: replay } = await api(`/v1/webhooks/replays/${/rpl_\w{26}/.exec(created.location)?.[0]}`);
    const chosen = { endpoint_id: endpoint.id, select: 'failed', event_types: ['client.created'] };
    expect(replay).toMatchObject({ ...chosen, since: `${since}:00.000Z` });
  });

  test('shows until when the previous secret signs, and offers no longer time than the API', async () => {
    const { api, get, submit } = await newWorld();
    const { body: endpoint } = await api('/v1/webhooks/endpoints', { body: { url: newUrl(), events: ['*'] } });
    const own = `/console/webhooks/${endpoint.id}`;
    expect((await get(own)).text).toContain('<dd>The current secret</dd>');
    expect((await get(`${own}/secret`)).text).not.toContain('In 7 days');
    expect((await submit(`${own}/secret`, { expires_in: '604800' })).status).toBe(400);
    expect((await submit(`${own}/secret`, { expires_in: '3600' })).status).toBe(201);
    expect((await get(own)).text).toMatch(/The current secret, and the previous one until <time /);
  });
});

test('an endpoint of a production tenant gets no test events', async () => {
  const { server } = story;
  const { ownerId } = await server.createTenant({ sandbox: false });
  const { get, post, submit } = openConsole(server, await server.signInAdmin(ownerId));
  const created = await submit('/webhooks/new', { url: newUrl(), 'event.*': 'on' });
  const own = /\/webhooks\/whe_\w{26}/.exec(created.text)?.[0] ?? '';
  // It is stored sealed, because it signs.
  expect(created.text).toContain('Signing secret');
  expect(created.text).not.toContain('hash');
  expect((await get(own)).text).not.toContain('Send test event');
  const refused = await post(`${own}/test`, { type: 'client.created' });
  expect([refused.status, refused.text.includes('Test events are for sandboxes')]).toEqual([422, true]);
});

describe('an endpoint of an app', () => {
  test('is edited, tested, traced and replayed to on pages like those of a tenant', async () => {
    const { server } = story;
    const { developer, get, post, submit } = await newWorld();
    const app = await server.createApp({ developerId: developer.id });
    const path = `/console/apps/${app.appId}/webhooks`;
    const url = newUrl();
    const created = await submit(`${path}/new`, { url: ` ${url} `, 'event.app.secret_rotated': 'on' });
    const id = /whe_\w{26}/.exec(created.text)?.[0] ?? '';
    const own = `${path}/${id}`;
    const wrong = await submit(`${own}/edit`, { url: 'nowhere' });
    expect([wrong.status, wrong.text.includes('href="#url"')]).toEqual([400, true]);
    const edit = { description: 'Installations', 'event.installation.revoked': 'on' };
    expect((await submit(`${own}/edit`, edit)).location).toBe(`${own}?done=saved`);
    const page = await get(own);
    for (const words of ['Installations', 'app.secret_rotated', 'installation.revoked</code>']) {
      expect(page.text).toContain(words);
    }
    expect(page.text).toMatch(/<option>installation\.revoked<\/option><option>app\.secret_rotated<\/option><\/select>/);

    const sent = await post(`${own}/test`, { type: 'installation.revoked' });
    expect(sent.location).toMatch(new RegExp(`^/console/apps/${app.appId}/trace\\?id=req_\\w{26}$`));
    const mine = () => receiver.received.filter((one) => url.endsWith(one.path));
    await expect.poll(() => mine().length).toBe(1);
    const event = JSON.parse(mine()[0]?.body ?? '');
    const data = { object: 'installation', state: 'revoked', revoked_reason: 'tenant' };
    expect(event).toMatchObject({ type: 'installation.revoked', app_id: app.appId, data });
    await expect.poll(async () => (await get(sent.location)).text).toContain('Delivered');
    const trace = (await get(sent.location)).text;
    for (const words of ['Trace of a test event', 'its data is a sample', url]) expect(trace).toContain(words);
    // The jump box finds the objects of an app too.
    const [delivery = ''] = /del_\w{26}/.exec(trace) ?? [];
    for (const each of [event.id, delivery, id]) {
      const found = await get(`/console/trace?id=${each}`);
      expect(found.location).toBe(`/console/apps/${app.appId}/trace?id=${each}`);
      expect((await get(found.location)).status).toBe(200);
    }
    const again = await post(`/console/apps/${app.appId}/trace/replay`, { event_id: event.id, endpoint_id: id });
    expect(again.location).toBe(`/console/apps/${app.appId}/trace?id=${event.id}`);
    await expect.poll(() => mine().length).toBe(2);
    expect((await post(`${own}/test`, { type: 'client.created' })).status).toBe(400);

    for (const list of [own, path]) {
      const { text } = await get(`${list}?since=1h&status=succeeded`);
      expect(text, list).toContain('>installation.revoked</a>');
      expect(text, list).toMatch(/plat apps webhooks deliveries list app_\w+ .*--status succeeded --created-after 20/);
      expect((await get(`${list}?created_before=2h`)).text, list).toContain('No attempt matches');
    }

    expect((await get(own)).text).toContain('>Resend');
    // Disabled, it misses an event, which a replay sends.
    await post(`${own}/status`, { status: 'disabled' });
    for (const page of [own, path]) expect((await get(page)).text).not.toContain('>Resend');
    expect((await post(`${own}/test`, { type: 'app.secret_rotated' })).status).toBe(422);
    await submit(`/console/apps/${app.appId}/secret`, { expires_in: '0' });
    await post(`${own}/status`, { status: 'enabled' });
    const back = await get(own);
    expect(back.text).toContain('Send missed events');
    const { endpoint_id = '' } = shownFields(back);
    // The filters of the list have a field of the same name.
    const since = /<input type="hidden" name="since" value="([^"]+)"/.exec(back.text)?.[1] ?? '';
    const replay = await post(`${path}/replays/new`, { endpoint_id, since });
    expect(replay.location).toMatch(new RegExp(`^${path}/replays/rpl_\\w{26}\\?done=created$`));
    await expect.poll(async () => (await get(replay.location)).text).toContain('1 deliveries');
    await expect.poll(() => mine().length).toBe(3);
    expect((await get(`${path}/replays`)).text).toContain(replay.location.split('?')[0]);
    const form = await get(/href="([^"]*replays\/new\?[^"]*)"/.exec(back.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
    expect(form.text).toContain(url);
    expect(form.text).not.toContain('client.created');
  });

  test('gets no test event when its app is verified while the form is sent', async () => {
    const { server, database } = story;
    const { developer, submit, post } = await newWorld();
    const { appId } = await server.createApp({ developerId: developer.id });
    const path = `/console/apps/${appId}/webhooks`;
    const created = await submit(`${path}/new`, { url: newUrl(), 'event.*': 'on' });
    const id = /whe_\w{26}/.exec(created.text)?.[0] ?? '';
    const operator = new DatabaseSync(database.url.replace('sqlite:', ''));
    const verify = operator.prepare("UPDATE oauth_apps SET verification = 'verified' WHERE id = ?");
    const seen: string[] = [];
    const end = onStatement(server.db, (statement) => {
      const isFirst = /^BEGIN/.test(statement) && !seen.some((one) => /^BEGIN/.test(one));
      if (isFirst && seen.some((one) => one.includes(appId))) verify.run(appId);
      seen.push(statement);
    });
    const sent = await post(`${path}/${id}/test`, { type: 'app.verified' });
    end();
    operator.close();
    expect(seen.join()).toMatch(/^BEGIN|,BEGIN/);
    expect([sent.status, sent.text]).toEqual([422, expect.stringContaining('Test events are for apps that are not')]);
  });

  test('gets no test event when its app is verified, and is hidden from other developers', async () => {
    const { server } = story;
    const mine = await newWorld();
    const app = await server.createApp({ developerId: mine.developer.id, verified: true });
    const path = `/console/apps/${app.appId}/webhooks`;
    const created = await mine.submit(`${path}/new`, { url: newUrl(), 'event.*': 'on' });
    const id = /whe_\w{26}/.exec(created.text)?.[0] ?? '';
    expect((await mine.get(`${path}/${id}`)).text).not.toContain('Send test event');
    for (const page of [path, `${path}/${id}`]) {
      expect((await mine.get(`${page}?status=failed`)).text).toContain('No attempt matches');
    }
    // Another tab changes the endpoint meanwhile.
    const opened = shownFields(await mine.get(`${path}/${id}/edit`));
    const saved = await mine.post(`${path}/${id}/edit`, { ...opened, description: 'First' });
    const stale = await mine.post(`${path}/${id}/edit`, { ...opened, description: 'Second' });
    expect([saved.status, stale.status, shownFields(stale)['description']]).toEqual([303, 409, 'Second']);
    expect((await mine.post(`${path}/${id}/test`, { type: 'app.verified' })).status).toBe(422);
    const stranger = await newWorld();
    const pages = [
      `${path}/${id}/edit`,
      `${path}/replays`,
      `${path}/replays/new`,
      `/console/apps/${app.appId}/trace?id=${id}`,
    ];
    for (const page of [...pages, `/console/trace?id=${id}`]) expect((await stranger.get(page)).status, page).toBe(404);
    const fields = { event_id: 'evt_x', endpoint_id: id, since: '2026-01-01T00:00:00Z', type: 'app.verified' };
    for (const form of [`${path}/${id}/edit`, `${path}/${id}/test`, `${path}/replays/new`]) {
      expect((await stranger.post(form, fields)).status, form).toBe(404);
    }
    expect((await stranger.post(`/console/apps/${app.appId}/trace/replay`, fields)).status).toBe(404);
  });
});

describe('billing and plans', () => {
  test('show invoices with their lines and payments, and the catalog, to those who may read them', async () => {
    const { developer, api, get } = await newWorld();
    const { body: invoices } = await api('/v1/billing/invoices?status=paid');
    const [invoice] = invoices.data;
    const own = `/console/billing/invoices/${invoice.id}`;
    expect((await get('/console/billing/invoices?status=paid')).text).toContain(own);
    const page = await get(own);
    for (const words of [invoice.number, invoice.lines[0].description, 'EUR']) expect(page.text).toContain(words);
    expect(page.text).not.toMatch(/>Edit<|>Create invoice|<form method="post" action="\/console\/billing/);
    const { body: payments } = await api(`/v1/billing/payments?invoice_id=${invoice.id}`);
    for (const { method } of payments.data) expect(page.text).toContain(method);
    expect((await get('/console/billing/payments')).text).toContain(own);
    expect((await get('/console/billing/payments')).text).toContain(
      `<a href="${own}"><bdi>${invoice.number}</bdi></a>`,
    );
    const { body: plans } = await api('/v1/plans');
    for (const { name } of plans.data) expect((await get('/console/plans')).text).toContain(name);
    expect((await get('/console/modules/catalog')).text).toContain('Analytics');
    const { body: members } = await api('/v1/users?role=member');
    const member = openConsole(story.server, await story.server.signInAdmin(members.data[0].id));
    expect((await member.get('/billing/invoices')).status).toBe(403);
    expect((await member.get('/plans')).status).toBe(200);
    expect(developer.tenantId).not.toBe('');
  });

  test('show the amount that is still to pay of an invoice of which a part is paid', async () => {
    const { api, get, submit } = await newWorld();
    expect((await get('/console/sandbox')).text).toContain('<a href="/console/billing/invoices">Billing</a>');
    await submit('/console/sandbox/invoice', {
      number: 'P-1',
      description: 'Plan',
      amount: '4900',
      currency: 'EUR',
      days: '14',
    });
    const { body: invoices } = await api('/v1/billing/invoices?status=open');
    const own = `/console/billing/invoices/${invoices.data.find(({ number }: { number: string }) => number === 'P-1').id}`;
    expect((await get(own)).text).not.toContain('is still to pay');
    const payment = { reference: 'P-1-a', invoice_number: 'P-1', amount: '2000', currency: 'EUR', method: 'card' };
    await submit('/console/sandbox/payment', { ...payment, status: 'succeeded' });
    expect((await get(own)).text).toMatch(/EUR.29\.00 of EUR.49\.00 is still to pay\./);
    await submit('/console/sandbox/payment', { ...payment, reference: 'P-1-b', amount: '2900', status: 'succeeded' });
    expect((await get(own)).text).not.toContain('is still to pay');
  });
});
