import { ALL_APP_EVENT_TYPES, type AppEvent, type AppEventType, HEADERS, LIMITS } from '@plat/contract';
import { execute, select, type TestApp } from '@plat/server/testing';
import { isAppEvent, verify, type WebhookEvent } from '@plat/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { login, type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { codeForm, postForm, refreshForm, secretOf } from '../support/oauth.ts';
import { operate } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { visitor } from '../support/visitor.ts';

/* The webhooks of an app: its own endpoints, events and deliveries, beside those of tenants. */

let offsetMs = 0;
const clock = () => Date.now() + offsetMs;
const story = useServer({ clock });
let developer: SignedInDeveloper;
let api: Api;
let app: TestApp;
let receiver: Receiver;
let hooks: string;

beforeEach(async () => {
  developer = await signedInDeveloper(story.server);
  ({ api } = await login(story.server, developer));
  app = await story.server.createApp({ developerId: developer.id, scopes: ['clients:read', 'me:read'] });
  receiver = await startReceiver();
  hooks = `/developer/v1/apps/${app.appId}/webhooks`;
});
afterEach(async () => {
  await api(`/developer/v1/apps/${app.appId}`, { method: 'DELETE' });
  await story.server.idle();
  await receiver.close();
});

async function subscribe(events: readonly (AppEventType | '*')[] = ['*']) {
  const { status, body } = await api(`${hooks}/endpoints`, { body: { url: receiver.url, events } });
  expect(status).toBe(201);
  return body;
}

/** Tests move the clock between a delivery and its verification. */
const TIME = { now: clock, tolerance: LIMITS.webhook.maxToleranceSeconds };

/** Waits for this many deliveries, and returns their verified events in the order of the events. */
async function heard(count: number, secret: string): Promise<AppEvent[]> {
  await receiver.waitFor(count);
  const events = receiver.received.map(({ body, headers }) => verify(body, headers, { ...TIME, secrets: secret }));
  expect(events.every(isAppEvent)).toBe(true);
  return (events as AppEvent[]).sort((a, b) => (a.created + a.id < b.created + b.id ? -1 : 1));
}

const post = (path: string, form: Parameters<typeof postForm>[1]) => postForm(story.server.baseUrl + path, form);
const me = (token: string) => apiOf(story.server.baseUrl, token)('/v1/me');
const grant = (tenantId = developer.tenantId, scopes = app.scopes) =>
  story.server.grantTokens({ app, tenantId, scopes });

/** Causes of events, each with the events that the app receives for it. */
const CAUSES: Readonly<Record<string, (secret: string) => Promise<unknown>>> = {
  async 'a consent, and its revocation by an owner'(secret) {
    const { grantId, tokens } = await grant();
    await story.server.revokeConsent(developer.tenantId, grantId);
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expect(await heard(2, secret)).toMatchObject([
      {
        type: 'installation.authorized',
        app_id: app.appId,
        tenant_id: developer.tenantId,
        data: { object: 'installation', id: grantId, state: 'pending', scopes: ['clients:read', 'me:read'] },
      },
      {
        type: 'installation.revoked',
        data: { id: grantId, state: 'revoked', revoked_reason: 'tenant', revoked_by: { type: 'system', id: null } },
      },
    ]);
  },
  async 'a revocation by the app'(secret) {
    const { grantId, tokens } = await grant();
    await post('/oauth/revoke', { token: tokens.refresh_token, ...secretOf(app) });
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expect((await heard(2, secret))[1]).toMatchObject({
      type: 'installation.revoked',
      data: { id: grantId, revoked_reason: 'app', revoked_by: { type: 'oauth_app', id: app.appId } },
    });
  },
  async 'the reuse of a refresh token'(secret) {
    const { grantId, tokens } = await grant();
    const { body } = await post('/oauth/token', refreshForm(app, tokens.refresh_token));
    await post('/oauth/token', refreshForm(app, tokens.refresh_token));
    expectRefusal(await me(body.access_token), 'INVALID_TOKEN');
    const [, reuse, end] = await heard(3, secret);
    const data = { id: grantId, revoked_reason: 'refresh_token_reused', revoked_by: { type: 'oauth_app' } };
    expect([reuse, end]).toMatchObject([
      { type: 'installation.reuse_detected', data },
      { type: 'installation.revoked', data },
    ]);
  },
  async 'the reuse of a code'(secret) {
    const consent = await story.server.grant({ app, tenantId: developer.tenantId });
    const { body } = await post('/oauth/token', codeForm(app, consent));
    await post('/oauth/token', codeForm(app, consent));
    expectRefusal(await me(body.access_token), 'INVALID_TOKEN');
    expect((await heard(3, secret)).map(({ type, data }) => [type, Reflect.get(data, 'revoked_reason')])).toEqual([
      ['installation.authorized', null],
      ['installation.reuse_detected', 'code_reused'],
      ['installation.revoked', 'code_reused'],
    ]);
  },
  async 'a later consent with other scopes, and one with the same scopes'(secret) {
    const first = await grant(developer.tenantId, ['me:read']);
    await me(first.tokens.access_token);
    const second = await grant(developer.tenantId, ['clients:read', 'me:read']);
    await me(second.tokens.access_token);
    const third = await grant(developer.tenantId, ['me:read', 'clients:read']);
    await me(third.tokens.access_token);
    expectRefusal(await me(second.tokens.access_token), 'INVALID_TOKEN');
    const events = await heard(4, secret);
    expect(events.map(({ type, data }) => [type, Reflect.get(data, 'id')])).toEqual([
      ['installation.authorized', first.grantId],
      ['installation.authorized', second.grantId],
      ['installation.scopes_changed', second.grantId],
      ['installation.authorized', third.grantId],
    ]);
    expect(events[2]?.data).toMatchObject({
      scopes: ['clients:read', 'me:read'],
      previous_id: first.grantId,
      previous_scopes: ['me:read'],
    });
  },
  async 'the review'(secret) {
    await operate(story.database.url, 'apps', 'verify', app.appId);
    await story.server.reviewApp(app.appId, 'rejected');
    expect(await heard(2, secret)).toMatchObject([
      { type: 'app.verified', tenant_id: developer.tenantId, data: { object: 'app', verification: 'verified' } },
      { type: 'app.rejected', data: { verification: 'rejected' } },
    ]);
  },
  async 'a disabled and an enabled app'(secret) {
    const { tokens } = await grant();
    await api(`/developer/v1/apps/${app.appId}/disable`, { method: 'POST' });
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    await api(`/developer/v1/apps/${app.appId}/enable`, { method: 'POST' });
    const [, disabled, enabled] = await heard(3, secret);
    expect([disabled, enabled]).toMatchObject([
      { type: 'app.disabled', data: { disabled_by: 'developer' } },
      { type: 'app.enabled', data: { disabled_by: null } },
    ]);
  },
  async 'a rotated secret'(secret) {
    const { body } = await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: { expires_in: 60 } });
    const [event] = await heard(1, secret);
    expect(event).toMatchObject({ type: 'app.secret_rotated', data: { id: app.appId } });
    expect(event?.data).toMatchObject({ previous_secret_expires_at: body.previous_secret_expires_at });
    expect(receiver.received[0]?.body).not.toContain(body.client_secret);
  },
  async 'a deleted app'(secret) {
    const { tokens } = await grant();
    await api(`/developer/v1/apps/${app.appId}`, { method: 'DELETE' });
    expectRefusal(await me(tokens.access_token), 'INVALID_TOKEN');
    expect((await heard(2, secret))[1]).toMatchObject({ type: 'app.deleted', data: { id: app.appId } });
  },
};

const received = new Set<string>();
test.each(Object.entries(CAUSES))(
  'an app receives the events of %s, signed, after the tokens are dead',
  async (_, run) => {
    const { secret } = await subscribe();
    await run(secret);
    for (const { headers } of receiver.received) received.add(String(headers[HEADERS.eventType.toLowerCase()]));
  },
);
test('a fault of the development mode selects the events of an app by their type', async () => {
  const { id } = await subscribe();
  const fault = { kind: 'delivery_error', event_type: 'installation.revoked', status: 503 };
  expect(await apiOf(story.server.baseUrl)('/_dev/faults', { body: fault })).toMatchObject({ status: 201 });
  const { grantId } = await grant();
  await story.server.revokeConsent(developer.tenantId, grantId);
  await story.server.idle();
  const { body } = await api(`${hooks}/deliveries?endpoint_id=${id}&status=retrying`);
  expect(body.data).toMatchObject([{ event_type: 'installation.revoked', response_status: 503 }]);
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['installation.authorized']);
});

test('every event type of an app has a cause', () => {
  expect([...received].sort()).toEqual([...ALL_APP_EVENT_TYPES].sort());
});

describe('the endpoints of an app', () => {
  test('have the rules of those of tenants, and only this app and its developer see them', async () => {
    const { secret, ...endpoint } = await subscribe(['installation.revoked']);
    expect(secret).toMatch(/^whsec_/);
    expect((await api(`${hooks}/endpoints`)).body.data).toEqual([endpoint]);
    expect((await api(`${hooks}/endpoints/${endpoint.id}`)).body).toEqual(endpoint);
    const again = { url: receiver.url, events: ['*'] };
    expectRefusal(await api(`${hooks}/endpoints`, { body: again }), 'WEBHOOK_URL_IN_USE');
    const ofTenants = { url: 'https://example.com/x', events: ['client.created'] };
    expectRefusal(await api(`${hooks}/endpoints`, { body: ofTenants }), 'INVALID_BODY', ['events.0']);
    const v1 = apiOf(story.server.baseUrl, developer.apiKey);
    const ofApps = { url: 'https://example.com/x', events: ['installation.revoked'] };
    expectRefusal(await v1('/v1/webhooks/endpoints', { body: ofApps }), 'INVALID_BODY', ['events.0']);
    expect((await v1('/v1/webhooks/endpoints')).body.data).toEqual([]);
    expectRefusal(await v1(`/v1/webhooks/endpoints/${endpoint.id}`), 'WEBHOOK_ENDPOINT_NOT_FOUND');

    const other = await story.server.createApp({ developerId: developer.id });
    const elsewhere = `/developer/v1/apps/${other.appId}/webhooks/endpoints/${endpoint.id}`;
    expectRefusal(await api(elsewhere), 'WEBHOOK_ENDPOINT_NOT_FOUND');
    const stranger = (await login(story.server, await signedInDeveloper(story.server))).api;
    for (const path of ['endpoints', 'events', 'deliveries', 'replays']) {
      expectRefusal(await stranger(`${hooks}/${path}`), 'APP_NOT_FOUND');
    }
    expectRefusal(await stranger(`${hooks}/endpoints`, { body: ofApps }), 'APP_NOT_FOUND');
  });

  test('have their own quota, and each change is in the audit trail of the sandbox', async () => {
    const v1 = apiOf(story.server.baseUrl, developer.apiKey);
    await v1('/v1/webhooks/endpoints', { body: { url: 'https://example.com/t', events: ['*'] } });
    const create = (i: number) =>
      api(`${hooks}/endpoints`, { body: { url: `https://example.com/${i}`, events: ['*'] } });
    const { production: most } = LIMITS.quotas.webhook_endpoints;
    const created = await Promise.all(Array.from({ length: most + 2 }, (_, i) => create(i)));
    expect(created.filter(({ status }) => status === 201)).toHaveLength(most);
    expectRefusal(await create(most + 3), 'WEBHOOK_ENDPOINT_LIMIT');
    const id = created.find(({ status }) => status === 201)?.body.id;
    await api(`${hooks}/endpoints/${id}`, { method: 'DELETE' });
    expect((await create(most + 4)).status).toBe(201);
    const { body } = await v1(`/v1/audit/events?target_id=${id}`);
    expect(body.data.map(({ action, actor }: { action: string; actor: object }) => [action, actor])).toEqual([
      ['webhook_endpoint.deleted', { type: 'developer', id: developer.id }],
      ['webhook_endpoint.created', { type: 'developer', id: developer.id }],
    ]);
  });

  test('receive only the types that they are subscribed to, and the tenants’ events stay separate', async () => {
    const { secret } = await subscribe(['app.secret_rotated']);
    await grant();
    await apiOf(story.server.baseUrl, developer.apiKey)('/v1/clients', { body: { name: 'Acme' } });
    await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
    expect((await heard(1, secret)).map(({ type }) => type)).toEqual(['app.secret_rotated']);
    await story.server.idle();
    expect(receiver.received).toHaveLength(1);
    const types = (await api(`${hooks}/events`)).body.data.map(({ type }: WebhookEvent) => type);
    expect(types).toEqual(['app.secret_rotated', 'installation.authorized']);
    const { body } = await apiOf(story.server.baseUrl, developer.apiKey)('/v1/webhooks/events');
    expect(body.data.map(({ type }: WebhookEvent) => type)).not.toContain('app.secret_rotated');
  });

  test('sign with both secrets during a rotation', async () => {
    const first = await subscribe();
    const rotated = await api(`${hooks}/endpoints/${first.id}/rotate_secret`, { body: { expires_in: 3600 } });
    await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
    for (const secret of [first.secret, rotated.body.secret]) expect(await heard(1, secret)).toHaveLength(1);
  });

  test('a disabled endpoint misses events, and a replay sends them', async () => {
    const { id, secret } = await subscribe();
    await api(`${hooks}/endpoints/${id}`, { method: 'PATCH', body: { status: 'disabled' } });
    for (let i = 0; i < 3; i++) await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
    const { body } = await api(`${hooks}/endpoints/${id}`, { method: 'PATCH', body: { status: 'enabled' } });
    offsetMs += 1000;
    const replay = await api(`${hooks}/replays`, { body: { since: body.missed_since, endpoint_id: id } });
    expect(replay.status).toBe(202);
    offsetMs += 2000;
    expect(await heard(3, secret)).toHaveLength(3);
    await story.server.idle();
    const done = (await api(`${hooks}/replays/${replay.body.id}`)).body;
    expect(done).toMatchObject({ status: 'completed', total_count: 3, scheduled_count: 3 });
    expect((await api(`${hooks}/replays`)).body.data).toEqual([done]);
    expectRefusal(await api(`${hooks}/replays/${done.id}/cancel`, { method: 'POST' }), 'UNPROCESSABLE');
  });
});

test('a failed attempt is kept with the response, retried, and replayed by hand', async () => {
  const { id, secret } = await subscribe();
  receiver.answer((_req, res) => res.writeHead(503, { 'x-why': 'down' }).end('try later'));
  await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
  await receiver.waitFor(1);
  await story.server.idle();
  const failed = (await api(`${hooks}/deliveries?status=retrying`)).body.data;
  expect(failed).toMatchObject([
    { endpoint_id: id, event_type: 'app.secret_rotated', attempt: 1, response_status: 503, response_body: 'try later' },
  ]);
  expect((await api(`${hooks}/deliveries/${failed[0].id}`)).body).toEqual(failed[0]);
  receiver.answer((_req, res) => res.writeHead(204).end());
  offsetMs += 31_000;
  await receiver.waitFor(2);
  const replayed = await api(`${hooks}/events/${failed[0].event_id}/replay`, { body: {} });
  expect([replayed.status, replayed.body.url]).toEqual([202, `${hooks}/events/${failed[0].event_id}/replay`]);
  const events = await heard(3, secret);
  expect(new Set(events.map((event) => event.id)).size).toBe(1);
  expect((await api(`${hooks}/events/${failed[0].event_id}`)).body).toEqual(events[0]);
});

test('an endpoint that answers 410 is disabled: the developer gets a mail, and the sandbox an audit entry', async () => {
  const { id } = await subscribe();
  receiver.answer((_req, res) => res.writeHead(410).end());
  await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
  await receiver.waitFor(1);
  await story.server.idle();
  expect((await api(`${hooks}/endpoints/${id}`)).body).toMatchObject({ status: 'disabled' });
  const mail = (await story.server.mails()).find(({ subject }) => subject.includes(id));
  expect(mail).toMatchObject({
    to: developer.email,
    text: expect.stringContaining(`plat apps webhooks endpoints update ${app.appId} ${id} --status enabled`),
  });
  const { body } = await apiOf(story.server.baseUrl, developer.apiKey)(`/v1/audit/events?target_id=${id}`);
  expect(body.data[0]).toMatchObject({ action: 'webhook_endpoint.disabled', actor: { type: 'system' } });
});

test('housekeeping deletes the endpoints of a deleted app after its last delivery, and keeps those of others', async () => {
  const since = new Date(clock()).toISOString();
  await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
  const { id } = await subscribe();
  // Begins when the app is gone, and sends nothing then.
  expect((await api(`${hooks}/replays`, { body: { since } })).status).toBe(202);
  await execute(story.server.db, 'UPDATE webhook_replays SET due_at = due_at + 20000');
  const other = await story.server.createApp({ developerId: developer.id });
  const kept = { url: `${receiver.url}/kept`, events: ['*'] };
  await api(`/developer/v1/apps/${other.appId}/webhooks/endpoints`, { body: kept });
  const v1 = apiOf(story.server.baseUrl, developer.apiKey);
  await v1('/v1/webhooks/endpoints', { body: kept });
  const endpoints = async () =>
    (await select<{ id: string }>(story.server.db, 'SELECT id FROM webhook_endpoints WHERE id = :id', { id })).length;
  receiver.answer((_req, res) => res.writeHead(500).end());
  await api(`/developer/v1/apps/${app.appId}`, { method: 'DELETE' });
  await receiver.waitFor(1);
  await story.server.housekeeping();
  expect(await endpoints()).toBe(1);
  receiver.answer((_req, res) => res.writeHead(204).end());
  offsetMs += 31_000;
  await receiver.waitFor(2);
  await story.server.idle();
  await story.server.housekeeping();
  expect(await endpoints()).toBe(0);
  expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(['app.deleted', 'app.deleted']);
  expect((await api(`/developer/v1/apps/${other.appId}/webhooks/endpoints`)).body.data).toHaveLength(1);
  await v1('/v1/clients', { body: { name: 'Acme' } });
  expect((await v1('/v1/webhooks/deliveries')).body.data).toHaveLength(1);
});

test('a trace has the event, its deliveries and why one failed, for the developer of the app only', async () => {
  const { id } = await subscribe(['app.secret_rotated']);
  receiver.answer((_req, res) => res.writeHead(500).end('no database'));
  await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
  await receiver.waitFor(1);
  await story.server.idle();
  const [event] = (await api(`${hooks}/events`)).body.data;
  const [, first] = (await api(`${hooks}/deliveries`)).body.data;
  const traceOf = (text: string) => api(`/developer/v1/apps/${app.appId}/trace/${text}`);
  for (const each of [event.id, first.id, id]) {
    const { status, body } = await traceOf(each);
    expect([status, body.id, body.problems.map(({ code }: { code: string }) => code)]).toEqual([
      200,
      each,
      ['http_status'],
    ]);
    expect(body.entries.map(({ kind }: { kind: string }) => kind)).toEqual(['event', 'attempt', 'attempt']);
    expect(body.entries[1]).toMatchObject({ delivery: { response_status: 500 }, endpoint: { url: receiver.url } });
  }
  for (const unknown of [developer.tenantId, 'evt_01k0z8k3v7e5q2m9t4r6w1x8c0', 'acme', 'a@b.example']) {
    const refused = await traceOf(unknown);
    expectRefusal(refused, 'TRACE_NOT_FOUND');
    expect(refused.body.message).toContain('in the tenant or app');
  }
  const { api: strangers } = await login(story.server, await signedInDeveloper(story.server));
  expectRefusal(await strangers(`/developer/v1/apps/${app.appId}/trace/${event.id}`), 'APP_NOT_FOUND');
});

describe('the console', () => {
  test('creates an endpoint, shows its secret once and its deliveries, sends again, disables, rotates and deletes', async () => {
    const browser = visitor(story.server.baseUrl, developer.session.cookie);
    const { csrfToken: _csrf } = developer.session;
    const path = `/console/apps/${app.appId}/webhooks`;
    expect((await browser.get(`/console/apps/${app.appId}`)).text).toContain(`href="${path}"`);
    expect((await browser.get(path)).text).toContain('No endpoints yet');
    expect((await browser.get(`${path}/new`)).text).toContain('installation.revoked');

    const url = receiver.url;
    const refused = await browser.post(`${path}/new`, { _csrf, url });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Select at least one event type.')]);
    const created = await browser.post(`${path}/new`, { _csrf, url, 'event.app.secret_rotated': 'on' });
    expect(created.status).toBe(201);
    const [, secret = ''] = /(whsec_[\w-]+)/.exec(created.text) ?? [];
    const [endpoint] = (await api(`${hooks}/endpoints`)).body.data;
    expect(endpoint).toMatchObject({ url, events: ['app.secret_rotated'], description: null });
    expect((await browser.post(`${path}/new`, { _csrf, url, 'event.*': 'on' })).status).toBe(409);

    await api(`/developer/v1/apps/${app.appId}/rotate_secret`, { body: {} });
    expect(await heard(1, secret)).toMatchObject([{ type: 'app.secret_rotated' }]);
    await story.server.idle();
    const own = `${path}/${endpoint.id}`;
    for (const page of [path, own]) expect((await browser.get(page)).text).toContain('Succeeded');
    expect((await browser.get(own)).text).not.toContain(secret);

    const [event] = (await api(`${hooks}/events`)).body.data;
    const resent = await browser.post(`${path}/events/${event.id}/replay`, { _csrf, endpoint_id: endpoint.id });
    expect([resent.status, resent.location]).toEqual([303, `${own}?done=replayed`]);
    expect(await heard(2, secret)).toHaveLength(2);

    const status = async () => (await api(`${hooks}/endpoints/${endpoint.id}`)).body.status;
    await browser.post(`${own}/status`, { _csrf, status: 'disabled' });
    expect(await status()).toBe('disabled');
    expect((await browser.get(own)).text).toContain('disabled by request');
    await browser.post(`${own}/status`, { _csrf, status: 'enabled' });
    expect(await status()).toBe('enabled');

    const form = await browser.get(`${own}/secret`);
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(form.text) ?? [];
    const rotated = await browser.post(`${own}/secret`, { _csrf, seen, expires_in: '3600' });
    expect([rotated.status, rotated.text]).toEqual([201, expect.stringMatching(/whsec_/)]);
    expect((await browser.post(`${own}/secret`, { _csrf, seen, expires_in: '3600' })).status).toBe(409);

    expect((await browser.get(`${own}/delete`)).text).toContain('Delete endpoint');
    const deleted = await browser.post(`${own}/delete`, { _csrf });
    expect(deleted.location).toBe(`${path}?done=deleted`);
    expect((await api(`${hooks}/endpoints`)).body.data).toEqual([]);
    expect((await browser.get(own)).status).toBe(404);
  });

  test('hides the webhooks of an app from other developers', async () => {
    const { id } = await subscribe();
    const stranger = await signedInDeveloper(story.server);
    const browser = visitor(story.server.baseUrl, stranger.session.cookie);
    const path = `/console/apps/${app.appId}/webhooks`;
    for (const page of [path, `${path}/new`, `${path}/${id}`]) expect((await browser.get(page)).status).toBe(404);
    const { csrfToken: _csrf } = stranger.session;
    expect((await browser.post(`${path}/${id}/delete`, { _csrf })).status).toBe(404);
    expect((await api(`${hooks}/endpoints`)).body.data).toHaveLength(1);
  });

  test('counts towards the quota of the app', async () => {
    const { production: most } = LIMITS.quotas.webhook_endpoints;
    for (let i = 0; i < most; i++) {
      await api(`${hooks}/endpoints`, { body: { url: `https://example.com/${i}`, events: ['*'] } });
    }
    const browser = visitor(story.server.baseUrl, developer.session.cookie);
    const typed = { _csrf: developer.session.csrfToken, url: receiver.url, 'event.*': 'on' };
    expect((await browser.post(`/console/apps/${app.appId}/webhooks/new`, typed)).status).toBe(422);
    expect((await api(`${hooks}/endpoints?limit=100`)).body.data).toHaveLength(most);
  });
});
