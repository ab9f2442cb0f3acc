import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer();
let receiver: Receiver;
let tenantId: string;
let api: Api;

beforeAll(async () => {
  receiver = await startReceiver();
  const tenant = await story.server.createTenant({ sandbox: false });
  ({ tenantId } = tenant);
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});
afterAll(() => receiver.close());

const catalog = join(tempFolder('catalog').path, 'catalog.json');
const plan = { slug: 'growth', name: 'Growth', currency: 'EUR', amount: 4900, interval: 'month', capabilities: [] };
writeFileSync(catalog, JSON.stringify({ modules: [], plans: [plan] }));

const run = (...args: string[]) => operate(story.database.url, ...args);
const audit = async () => (await api('/v1/audit/events?limit=1')).body.data[0];

describe('the operator reads the data of a tenant', () => {
  let clientRequest: string;
  let endpointId: string;

  test('and reads its endpoints, events, deliveries and requests as its own API returns them', async () => {
    receiver.answer((_req, res) => res.writeHead(500).end());
    const endpoint = { url: `${receiver.url}/hook`, events: ['client.created'] };
    endpointId = (await api('/v1/webhooks/endpoints', { body: endpoint })).body.id;
    const created = await api('/v1/clients', { body: { name: 'Acme' } });
    clientRequest = created.headers.get('x-request-id') ?? '';
    await receiver.waitFor(1);
    await expect.poll(async () => (await api('/v1/webhooks/deliveries?status=retrying')).body.data).not.toEqual([]);
    expectRefusal(await api('/v1/clients/cli_none'), 'CLIENT_NOT_FOUND');

    for (const list of ['endpoints', 'events', 'deliveries']) {
      expect((await run(list, tenantId)).json, list).toEqual((await api(`/v1/webhooks/${list}`)).body.data);
    }
    const status = ['--status', 'retrying', '--endpoint', endpointId];
    expect((await run('deliveries', tenantId, ...status)).json).toMatchObject([{ response_status: 500 }]);
    const code = ['--code', 'CLIENT_NOT_FOUND'];
    await expect
      .poll(async () => (await run('requests', tenantId, ...code)).json)
      .toMatchObject([{ method: 'GET', path: '/v1/clients/cli_none', status: 404 }]);
    for (const list of ['events', 'deliveries', 'requests']) {
      const hour = ['--created-after', '1h'];
      expect((await run(list, tenantId, ...hour)).json, list).toEqual((await run(list, tenantId)).json);
      expect((await run(list, tenantId, '--created-before', '1h')).json, list).toEqual([]);
      const [newest] = (await run(list, tenantId)).json;
      const at = newest.created_at ?? newest.created;
      const older = (await run(list, tenantId, '--created-before', at)).json;
      expect(older.every((one: Record<string, string>) => (one['created_at'] ?? one['created'] ?? '') < at)).toBe(true);
    }
    const wrong = await run('events', tenantId, '--created-after', 'yesterday');
    expect(wrong.stderr).toMatch(/^plat-server: --created-after must be an ISO 8601 time with offset, such as 2026/);
    expect((await run('events', 'tnt_nobody')).stderr).toMatch(/there is no tenant tnt_nobody/);
  });

  test('trace follows a request to its events and each attempt', async () => {
    const { json } = await run('trace', tenantId, clientRequest);
    expect(json.slice(0, 4)).toMatchObject([
      { step: 'request', id: clientRequest, what: 'not in the request log' },
      { step: 'change', what: expect.stringMatching(/^client\.created of cli_\w+ by api_key key_/) },
      { step: 'event', what: 'client.created' },
      { step: 'attempt', what: expect.stringMatching(new RegExp(`^attempt 1 to ${endpointId}: retrying 500`)) },
    ]);
    // A busy machine may have made the second attempt meanwhile.
    expect(json.at(-1)).toMatchObject({ step: 'attempt', what: expect.stringMatching(/^attempt \d to .*: pending$/) });
    const ofEvent = (await run('trace', tenantId, json[2].id)).json;
    expect(ofEvent.slice(0, 4)).toEqual(json.slice(0, 4));
    expect((await run('trace', tenantId, 'cli_none')).stderr).toMatch(/Nothing is recorded about this id/);
  });

  test('retry-now sends a delivery before its next attempt is due', async () => {
    receiver.answer((_req, res) => res.writeHead(204).end());
    const { json } = await run('retry-now', tenantId, '--endpoint', endpointId);
    expect(json).toEqual({ deliveries: 1, endpoints: 1 });
    expect(await audit()).toMatchObject({ action: 'webhook_endpoint.retried_now', actor: { type: 'operator' } });
    await expect.poll(async () => (await api('/v1/webhooks/deliveries?status=succeeded')).body.data).toHaveLength(1);
    expect((await run('retry-now', tenantId, '--endpoint', 'whe_none')).stderr).toMatch(/has no endpoint whe_none/);
  });

  test('show and search find it, and name its owner', async () => {
    const { json } = await run('tenants', 'show', tenantId);
    expect(json).toMatchObject({
      id: tenantId,
      endpoints: 1,
      clients: expect.stringMatching(/^1 of /),
      support_keys: 0,
    });
    const [owner] = json.owners[0].split(' ');
    expect(owner).toMatch(/^usr_/);
    const email = json.owners[0].split(' ')[1];
    for (const text of [json.name.slice(1, -1), tenantId, email]) {
      const { json: found } = await run('tenants', 'search', text);
      expect(
        found.map(({ id }: { id: string }) => id),
        text,
      ).toContain(tenantId);
    }
    expect((await run('tenants', 'search', '%')).json).toEqual([]);
  });
});

describe('a support key', () => {
  test('reads and changes nothing, is in the audit trail with its reason, and ends when it is revoked', async () => {
    const reason = 'Ticket 4711: missing events';
    const { json } = await run('support', 'grant', tenantId, '--reason', reason, '--expires-in', '30m');
    const support = apiOf(story.server.baseUrl, json.api_key);
    expect(await audit()).toMatchObject({
      action: 'support_access.granted',
      target: { type: 'api_key', id: json.id },
      changes: { reason: { after: reason }, expires_at: { after: json.expires_at } },
    });
    expect((await support('/v1/clients')).body.data).toHaveLength(1);
    expectRefusal(await support('/v1/clients', { body: { name: 'No' } }), 'INSUFFICIENT_SCOPE');
    expect((await api('/v1/clients')).status).toBe(200);
    const sandbox = await story.server.createTenant();
    const [later, elsewhere] = await Promise.all(
      [tenantId, sandbox.tenantId].map(
        async (id) => (await run('support', 'grant', id, '--reason', 'Other', '--expires-in', '30m')).json,
      ),
    );
    expect(elsewhere.api_key).toMatch(/^plat_test_/);
    const both = [{ id: json.id, reason }, { id: later.id }];
    expect((await run('support', 'list', tenantId)).json).toMatchObject(both);

    expect((await run('support', 'revoke', json.id)).json).toEqual({ revoked: json.id, tenant_id: tenantId });
    expectRefusal(await support('/v1/clients'), 'INVALID_TOKEN');
    expect(await audit()).toMatchObject({ action: 'support_access.revoked', target: { id: json.id } });
    const left = (await run('support', 'list')).json.map(({ id }: { id: string }) => id);
    expect(left.sort()).toEqual([later.id, elsewhere.id].sort());
    for (const id of left) await run('support', 'revoke', id);
    expect((await run('support', 'revoke', json.id)).stderr).toMatch(/there is no support key/);
  });

  test('expires by itself', async () => {
    const { json } = await run('support', 'grant', tenantId, '--reason', 'Short', '--expires-in', '1s');
    const support = apiOf(story.server.baseUrl, json.api_key);
    await expect.poll(async () => (await support('/v1/me')).status).toBe(401);
    expect((await run('support', 'list')).json).toEqual([]);
    expect((await run('support', 'grant', tenantId, '--reason', 'x', '--expires-in', '2d')).stderr).toMatch(
      /1s to 24h/,
    );
  });
});

describe('the operator changes a tenant', () => {
  test('its name and plan', async () => {
    await run('tenants', 'rename', tenantId, 'Acme Group');
    expect((await api('/v1/tenant')).body.name).toBe('Acme Group');
    expect(await audit()).toMatchObject({ action: 'tenant.updated', actor: { type: 'operator' } });
    expect((await run('tenants', 'plan', tenantId, 'none-such')).stderr).toMatch(/no plan "none-such"/);
    await run('catalog', 'apply', catalog);
    const changed = await run('tenants', 'plan', tenantId, 'growth');
    expect((await api('/v1/tenant')).body.plan_id).toBe(changed.json.plan_id);
    await run('tenants', 'plan', tenantId, '--none');
    expect((await api('/v1/tenant')).body.plan_id).toBe(null);
  });

  test('its owner, and ends sessions', async () => {
    const roles: { name: string }[] = (await api('/v1/roles')).body.data;
    const role = roles.find(({ name }) => name !== 'owner')?.name;
    const created = await api('/v1/users', { body: { email: 'new@acme.example', role } });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const invited = created.body;
    expect((await run('tenants', 'owner', tenantId, invited.id)).stderr).toMatch(/no active user/);
    await story.server.db.models.user.update({ status: 'active' }, { where: { id: invited.id } });
    expect((await run('tenants', 'owner', tenantId, invited.id)).json).toMatchObject({ owner_id: invited.id });
    expect((await api(`/v1/users/${invited.id}`)).body.role).toBe('owner');
    expect((await run('tenants', 'end-sessions', tenantId)).json).toEqual({ tenant_id: tenantId, user_id: null });
    expect(await audit()).toMatchObject({ action: 'sessions.ended' });
  });

  test('mails that wait are listed without recipient, and are sent at once', async () => {
    const { json } = await run('mails', 'list', '--status', 'queued');
    expect(JSON.stringify(json)).not.toMatch(/new@acme/);
    expect((await run('mails', 'retry')).json).toEqual({ due_now: expect.any(Number) });
  });
});

test('trace continues behind a page, and says where', async () => {
  const { tenantId, apiKey } = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, apiKey);
  const { id } = (await api('/v1/clients', { body: { name: 'Acme' } })).body;
  for (let i = 0; i < 101; i++) await api(`/v1/clients/${id}`, { method: 'PATCH', body: { name: `Acme ${i}` } });
  const changes = new Set<string>();
  for (let next: string[] = []; ; ) {
    const { json, stderr } = await run('trace', tenantId, id, ...next);
    for (const { step, id: change } of json) if (step === 'change') changes.add(change);
    const [, cursor] = /^Older causes: --starting-after (\w+)$/m.exec(stderr) ?? [];
    if (cursor === undefined) break;
    next = ['--starting-after', cursor];
  }
  expect(changes.size).toBe(102);
});

test('retry-now leaves the deliveries of a disabled endpoint pending, since an attempt would end them', async () => {
  const { tenantId, apiKey } = await story.server.createTenant();
  const api = apiOf(story.server.baseUrl, apiKey);
  const endpoints = '/v1/webhooks/endpoints';
  receiver.answer((_req, res) => res.writeHead(500).end());
  const endpoint = { url: `${receiver.url}/disabled`, events: ['client.created'] };
  const { id } = (await api(endpoints, { body: endpoint })).body;
  await api('/v1/clients', { body: { name: 'Acme' } });
  const statuses = async () =>
    (await api('/v1/webhooks/deliveries')).body.data.map(({ status }: { status: string }) => status);
  await expect.poll(statuses).toEqual(['pending', 'retrying']);
  await api(`${endpoints}/${id}`, { method: 'PATCH', body: { status: 'disabled' } });

  expect((await run('retry-now', tenantId)).json).toEqual({ deliveries: 0, endpoints: 0 });
  const one = await run('retry-now', tenantId, '--endpoint', id);
  expect([one.code, one.stderr]).toEqual([1, expect.stringMatching(/is disabled.*the tenant has to enable it first/)]);
  await story.server.idle();
  expect(await statuses()).toEqual(['pending', 'retrying']);
});
