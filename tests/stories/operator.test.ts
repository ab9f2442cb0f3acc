import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verify } from '@plat/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const story = useServer();
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

const run = (...args: string[]) => operate(story.database.url, ...args);

describe('tenants', () => {
  test('create makes a production tenant with its owner, and a live key that works', async () => {
    const { code, json } = await run(
      'tenants',
      'create',
      '--name',
      'Acme Holding',
      '--owner-email',
      'ada@acme.example',
    );
    expect(code).toBe(0);
    const api = apiOf(story.server.baseUrl, json.api_key);
    expect(json.api_key).toMatch(/^plat_live_/);
    expect((await api('/v1/tenant')).body).toMatchObject({ id: json.tenant_id, name: 'Acme Holding', sandbox: false });
    expect((await api('/v1/users')).body.data).toMatchObject([
      { id: json.owner_id, email: 'ada@acme.example', role: 'owner', status: 'active' },
    ]);
    expect((await api('/v1/audit/events')).body.data).toMatchObject([
      { action: 'tenant.created', actor: { type: 'operator', id: null }, target: { id: json.tenant_id } },
    ]);
  });

  test('list returns all tenants, newest first, by status too', async () => {
    const { json: first } = await run('tenants', 'create', '--name', 'First', '--owner-email', 'a@first.example');
    const { json: second } = await run('tenants', 'create', '--name', 'Second', '--owner-email', 'a@second.example');
    const { json: all } = await run('tenants', 'list', '--limit', '2');
    expect(all.map(({ id }: { id: string }) => id)).toEqual([second.tenant_id, first.tenant_id]);
    const { json: behind } = await run('tenants', 'list', '--limit', '1', '--starting-after', second.tenant_id);
    expect(behind.map(({ id }: { id: string }) => id)).toEqual([first.tenant_id]);
    expect((await run('tenants', 'list', '--status', 'suspended')).json).toEqual([]);
  });

  test('suspend freezes access at once, reactivate restores it; each emits its event, which is delivered', async () => {
    const { tenantId, apiKey } = await story.server.createTenant({ sandbox: false });
    const api = apiOf(story.server.baseUrl, apiKey);
    const endpoint = { url: `${receiver.url}/tenant`, events: ['tenant.suspended', 'tenant.reactivated'] };
    const { secret } = (await api('/v1/webhooks/endpoints', { body: endpoint })).body;

    const suspended = await run('tenants', 'suspend', tenantId);
    expect(suspended.json).toMatchObject({ id: tenantId, status: 'suspended' });
    expectRefusal(await api('/v1/clients'), 'TENANT_SUSPENDED');
    await receiver.waitFor(1);

    expect((await run('tenants', 'suspend', tenantId)).json).toEqual(suspended.json);
    expect((await run('tenants', 'reactivate', tenantId)).json).toMatchObject({ status: 'active' });
    expect((await api('/v1/clients')).status).toBe(200);
    await receiver.waitFor(2);

    const events = receiver.received.map(({ headers, body }) => verify(body, headers, { secrets: secret }));
    expect(events).toMatchObject([
      { type: 'tenant.suspended', data: { object: 'tenant', id: tenantId, status: 'suspended' } },
      { type: 'tenant.reactivated', data: { object: 'tenant', id: tenantId, status: 'active' } },
    ]);
    expect((await api('/v1/audit/events?limit=2')).body.data).toMatchObject([
      { action: 'tenant.reactivated', changes: { status: { before: 'suspended', after: 'active' } } },
      { action: 'tenant.suspended', actor: { type: 'operator' }, request_id: null },
    ]);
  });

  test.each([
    [['tenants', 'suspend', 'tnt_nobody'], 1, /there is no tenant tnt_nobody/],
    [['tenants', 'create', '--name', ' ', '--owner-email', 'a@b.example'], 1, /^plat-server: --name /],
    [
      ['tenants', 'create', '--name', 'A', '--owner-email', 'nobody'],
      1,
      /^plat-server: --owner-email must be an e-mail/,
    ],
    [
      ['tenants', 'create', '--name', 'A', '--owner-email', 'a@b.example', '--owner-name', ' '],
      1,
      /^plat-server: --owner-name /,
    ],
    [['developers', 'create', '--email', 'nobody'], 1, /^plat-server: --email must be an e-mail/],
    [['apps', 'reject', 'app_01hzzzzzzzzzzzzzzzzzzzzzzz', '--reason', ' '], 1, /^plat-server: --reason /],
    [['tenants', 'create', '--name', 'A', '--owner-email', 'a@b.example', '--plan', 'none'], 1, /no plan "none"/],
    [['tenants', 'list', '--status', 'gone'], 2, /Allowed choices are active, suspended/],
    [['keys', 'mint', 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz', '--scopes', 'clients:own'], 2, /clients:own is no scope/],
    [['keys', 'mint', 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz', '--expires-in', '8d'], 2, /must be 7d at most/],
    [['keys', 'mint', 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz', '--expires-in', 'a day'], 2, /for example 24h/],
    [['support', 'list', 'tnt_nobody'], 1, /there is no tenant tnt_nobody/],
    [['tenants', 'erase'], 2, /unknown command 'erase'/],
    [
      ['tenants', 'quotas', 'tnt_1', '--set', 'clients=1', '--set', 'users=1'],
      2,
      /option '--set <quotas>' is given twice/,
    ],
    [['tenant', 'list'], 2, /unknown command 'tenant'/],
    [['--no-dispach'], 2, /unknown option '--no-dispach'/],
  ])('%j is refused with exit code %i and what to do', async (args, code, message) => {
    const answer = await run(...args);
    expect([answer.code, answer.stdout]).toEqual([code, '']);
    expect(answer.stderr).toMatch(message);
  });
});

test.each(['tenants list', 'copy --compare-only --from FROM'])(
  '%s creates no database where there is none',
  async (command) => {
    const args = command.replace('FROM', story.database.url).split(' ');
    const file = join(tempFolder('no-database').path, 'plat.db');
    const answer = await operate(`sqlite:${file}`, ...args);
    expect([answer.code, answer.stdout, existsSync(file)]).toEqual([1, '', false]);
    expect(answer.stderr).toMatch(/^plat-server: there is no (?:database at|file) .*plat\.db/);
  },
);

describe('keys', () => {
  test('mint replaces the key of a tenant at once, with the given scopes', async () => {
    const { tenantId, apiKey } = await story.server.createTenant();
    const { json } = await run('keys', 'mint', tenantId, '--scopes', 'clients:read,me:read');
    expectRefusal(await apiOf(story.server.baseUrl, apiKey)('/v1/me'), 'INVALID_TOKEN');
    const me = await apiOf(story.server.baseUrl, json.api_key)('/v1/me');
    expect(me.body).toMatchObject({ tenant_id: tenantId, scopes: ['clients:read', 'me:read'] });
  });

  test('mint keeps the replaced key for a chosen time, or until revoke-previous', async () => {
    const { tenantId, apiKey } = await story.server.createTenant();
    const { json } = await run('keys', 'mint', tenantId, '--expires-in', '24h');
    expect(json).toMatchObject({ previous_key: `plat_test_...${apiKey.slice(-4)}` });
    expect(Date.parse(json.previous_key_expires_at)).toBeGreaterThan(Date.now() + 86_000_000);
    const api = (key: string) => apiOf(story.server.baseUrl, key);
    for (const key of [apiKey, json.api_key]) expect((await api(key)('/v1/me')).status).toBe(200);

    const ended = await run('keys', 'revoke-previous', tenantId);
    const current_key = `plat_test_...${json.api_key.slice(-4)}`;
    expect(ended.json).toEqual({ tenant_id: tenantId, revoked_key: json.previous_key, current_key });
    expectRefusal(await api(apiKey)('/v1/me'), 'INVALID_TOKEN');
    const { body } = await api(json.api_key)('/v1/audit/events?action=api_key.revoked');
    expect(body.data).toMatchObject([{ actor: { type: 'operator' }, target: { type: 'api_key' } }]);
    expect((await run('keys', 'revoke-previous', tenantId)).json).toEqual({ ...ended.json, revoked_key: null });
  });

  test('mint-vendor makes a key that /v1 refuses, and revoke-vendor ends it', async () => {
    const { json } = await run('keys', 'mint-vendor');
    const vendor = apiOf(story.server.baseUrl, json.api_key);
    expectRefusal(await vendor('/v1/me'), 'VENDOR_KEY_NOT_ALLOWED_ON_V1');
    await expect
      .poll(async () => (await run('keys', 'list-vendor')).json)
      .toContainEqual(expect.objectContaining({ id: json.id, last_used_at: expect.any(String) }));
    expect((await run('keys', 'revoke-vendor', json.id)).json).toEqual({ revoked: json.id });
    expectRefusal(await vendor('/v1/me'), 'INVALID_TOKEN');
    const { json: trail } = await run('keys', 'audit-vendor');
    expect(trail.filter(({ key }: { key: string }) => key === json.id)).toEqual([
      { at: expect.any(String), action: 'vendor_key.created', key: json.id },
      { at: expect.any(String), action: 'vendor_key.revoked', key: json.id },
    ]);
  });
});

describe('catalog', () => {
  const catalog = (plan: string[]) => ({
    modules: [{ slug: 'stock', name: 'Stock', description: 'What is there.', capabilities: ['stock:read'] }],
    plans: [{ slug: 'basic', name: 'Basic', currency: 'EUR', amount: 900, interval: 'month', capabilities: plan }],
  });
  const fileOf = (content: unknown): string => {
    const path = join(tempFolder('catalog').path, 'catalog.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  test('apply creates modules and plans, and changes them the next time', async () => {
    expect((await run('catalog', 'apply', fileOf(catalog(['stock:read'])))).json).toEqual({ modules: 1, plans: 1 });
    const api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
    const [before] = (await api('/v1/plans')).body.data;
    expect(before).toMatchObject({ object: 'plan', slug: 'basic', amount: 900, capabilities: ['stock:read'] });
    expect((await api('/v1/modules/catalog')).body.data).toMatchObject([{ slug: 'stock', launch_url: null }]);

    await run('catalog', 'apply', fileOf(catalog([])));
    expect((await api('/v1/plans')).body.data).toMatchObject([{ id: before.id, capabilities: [] }]);
    expect((await run('catalog', 'show')).json).toEqual([
      { kind: 'module', slug: 'stock', name: 'Stock', capabilities: ['stock:read'] },
      { kind: 'plan', slug: 'basic', name: 'Basic', capabilities: [] },
    ]);
  });

  test('a file with an error changes nothing, and the error is named', async () => {
    const before = (await run('catalog', 'show')).json;
    for (const [content, message] of [
      [catalog(['stock:fly']), /stock:fly, which no module has/],
      [
        { modules: [{ slug: 'Not A Slug' }], plans: [], more: 1 },
        /modules\.0\.slug .*\n.*modules\.0\.name (?:.*\n)* {2}more /,
      ],
    ] as const) {
      const { code, stderr } = await run('catalog', 'apply', fileOf(content));
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
    }
    expect((await run('catalog', 'apply', 'no-such-file.json')).stderr).toMatch(/cannot be read/);
    expect((await run('catalog', 'show')).json).toEqual(before);
  });
});

test('a developer account owns one seeded sandbox, created with it', async () => {
  const { json } = await run('developers', 'create', '--email', 'Dev@example.com');
  const api = apiOf(story.server.baseUrl, json.api_key);
  expect((await api('/v1/tenant')).body).toMatchObject({ id: json.tenant_id, sandbox: true });
  expect((await api('/v1/clients')).body.data).toHaveLength(2);
  const again = await run('developers', 'create', '--email', 'dev@EXAMPLE.com');
  expect(again.stderr).toMatch(/has a developer account already/);
  expect((await run('developers', 'list')).json).toMatchObject([{ id: json.developer_id, tenant_id: json.tenant_id }]);
});

test.each(['json', 'pretty'])(
  'housekeeping prints on stdout how many rows it removed, and logs %s on stderr',
  async (format) => {
    const env = { DATABASE_URL: story.database.url, LOG_LEVEL: 'info', LOG_FORMAT: format };
    const { code, stdout, stderr } = await operate(env, 'housekeeping');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ events: 0, webhook_deliveries: 0, audit_events: 0 });
    expect(stderr).toMatch(/housekeeping/);
  },
);
