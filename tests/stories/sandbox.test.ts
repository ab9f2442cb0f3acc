import { createTestServer, KEPT_TABLES, RESET_TABLES, select } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { operate } from '../support/operator.ts';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let tenantId: string;
let apiKey: string;
let api: Api;

beforeAll(async () => {
  const { json } = await operate(story.database.url, 'developers', 'create', '--email', 'dev@example.com');
  ({ tenant_id: tenantId, api_key: apiKey } = json);
  api = apiOf(story.server.baseUrl, apiKey);
});

const data = async (path: string) => (await api(path)).body.data;

/** Everything that a developer finds in the sandbox. */
async function content(): Promise<Record<string, unknown>> {
  const clients = await data('/v1/clients');
  const [group] = await data('/v1/groups');
  return {
    clients,
    locations: await Promise.all(clients.map(({ id }: { id: string }) => data(`/v1/clients/${id}/locations`))),
    users: await data('/v1/users'),
    groups: await data('/v1/groups'),
    members: group ? await data(`/v1/groups/${group.id}/members`) : [],
    roles: await data('/v1/roles'),
    tenant: (await api('/v1/tenant')).body,
    settings: (await api('/v1/settings')).body,
    invoices: await data('/v1/billing/invoices'),
    payments: await data('/v1/billing/payments'),
    endpoints: await data('/v1/webhooks/endpoints'),
    events: await data('/v1/webhooks/events'),
    deliveries: await data('/v1/webhooks/deliveries'),
  };
}

describe('a sandbox', () => {
  test('is seeded as the specification says', async () => {
    const { clients, locations, users, groups, members } = (await content()) as Record<string, { length: number }[]>;
    expect(clients).toHaveLength(2);
    expect(locations).toMatchObject([[{ default: true }], [{ default: true }]]);
    expect((users as unknown as { role: string }[]).map(({ role }) => role).sort()).toEqual([
      'member',
      'owner',
      'viewer',
    ]);
    expect(groups).toMatchObject([{ member_count: 2 }]);
    expect(members).toHaveLength(2);
  });

  test('has invoices and payments that refer to each other', async () => {
    const [invoices, payments] = [await data('/v1/billing/invoices'), await data('/v1/billing/payments')];
    expect(invoices.map(({ status }: { status: string }) => status)).toEqual(['open', 'paid', 'paid']);
    expect(await data('/v1/billing/invoices?status=open')).toEqual([invoices[0]]);
    expect((await api(`/v1/billing/invoices/${invoices[1].id}`)).body).toEqual(invoices[1]);
    expect(payments.map(({ status }: { status: string }) => status)).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(await data(`/v1/billing/payments?invoice_id=${invoices[1].id}`)).toEqual(payments.slice(0, 2));
    expect(await data(`/v1/billing/payments?invoice_id=${invoices[0].id}`)).toEqual([]);
    expectRefusal(await api('/v1/billing/invoices/inv_01hzzzzzzzzzzzzzzzzzzzzzzz'), 'INVOICE_NOT_FOUND');
    expectRefusal(await api('/v1/billing/invoices?status=late'), 'INVALID_REQUEST', ['status']);
  });
});

/** Changes objects of every kind. */
async function changeEverything(url: string): Promise<void> {
  const [client, other] = await data('/v1/clients');
  const [group] = await data('/v1/groups');
  await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
  await api('/v1/clients', { body: { name: 'New' }, headers: { 'idempotency-key': 'change-everything' } });
  await api(`/v1/clients/${client.id}`, { method: 'DELETE' });
  await api(`/v1/clients/${other.id}`, { method: 'PATCH', body: { name: 'Changed' } });
  await api(`/v1/clients/${other.id}/locations`, { body: { name: 'Second', country: 'FR', default: true } });
  await api(`/v1/groups/${group.id}`, { method: 'PATCH', body: { name: 'Changed' } });
  await api('/v1/groups', { body: { name: 'Other' } });
  await api('/v1/users', { body: { email: 'new@example.com', role: 'member' } });
  await api('/v1/roles', { body: { name: 'auditor', title: 'Auditor' } });
  await api('/v1/tenant', { method: 'PATCH', body: { name: 'Renamed' } });
  await api('/v1/settings', { method: 'PATCH', body: { default_locale: 'de' } });
}

describe('reset', () => {
  test('restores everything, ids included; the tenant keeps its id and key', async () => {
    const before = await content();
    const receiver = await startReceiver();
    receiver.answer((_req, res) => res.writeHead(503).end());
    await changeEverything(receiver.url);
    await receiver.waitFor(1);
    expect(await content()).not.toEqual(before);

    const answer = await operate(story.database.url, 'sandbox', 'reset', tenantId, '--yes');
    expect(answer.json).toEqual({ tenant_id: tenantId, reset: true });
    await story.server.idle();
    const after = await content();
    expect(after).toEqual({ ...before, tenant: after['tenant'] });
    expect(after['tenant']).toMatchObject({ id: tenantId, name: 'Sandbox' });
    expect((await data('/v1/audit/events')).map(({ action }: { action: string }) => action)).toEqual(['sandbox.reset']);
    const again = await api('/v1/clients', {
      body: { name: 'New' },
      headers: { 'idempotency-key': 'change-everything' },
    });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
    await receiver.close();
  });

  test('is for sandboxes only, and asks for a confirmation', async () => {
    const production = await story.server.createTenant({ sandbox: false });
    const refused = await operate(story.database.url, 'sandbox', 'reset', production.tenantId, '--yes');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/there is no sandbox/)]);
    const locks = 'SELECT slot FROM sandbox_locks WHERE tenant_id = :tenantId';
    expect(await select(story.server.db, locks, { tenantId: production.tenantId })).toEqual([]);
    const unsure = await operate(story.database.url, 'sandbox', 'reset', tenantId);
    expect([unsure.code, unsure.stderr]).toEqual([1, expect.stringMatching(/--yes/)]);
  });

  test('does not affect other tenants', async () => {
    const other = await story.server.createTenant();
    const theirs = apiOf(story.server.baseUrl, other.apiKey);
    const { body: client } = await theirs('/v1/clients', { body: { name: 'Theirs' } });
    await story.server.resetSandbox(tenantId);
    expect((await theirs(`/v1/clients/${client.id}`)).body).toEqual(client);
    expect((await theirs('/v1/roles')).body.data).toHaveLength(4);
  });

  test('while requests run: each sees the sandbox before or after, none fails, and no old object is left', async () => {
    await story.server.resetSandbox(tenantId);
    const seeded = (await content())['clients'] as { id: string }[];
    const resets = 5;
    let isOver = false;
    const writers = Array.from({ length: 6 }, async (_, w) => {
      for (let i = 0; !isOver; i++) {
        const created = await api('/v1/clients', { body: { name: `In progress ${w} ${i}` } });
        expect(created.status).toBe(201);
        const patched = await api(`/v1/clients/${seeded[0]?.id}`, { method: 'PATCH', body: { name: `P ${w} ${i}` } });
        expect(patched.status).toBe(200);
        expect([200, 404]).toContain((await api(`/v1/clients/${created.body.id}`)).status);
      }
    });
    const readers = Array.from({ length: 2 }, async () => {
      while (!isOver) {
        const ids = (await data('/v1/clients?limit=100')).map(({ id }: { id: string }) => id);
        expect(ids).toEqual(expect.arrayContaining(seeded.map(({ id }) => id)));
      }
    });
    for (let i = 0; i < resets; i++) {
      await story.server.resetSandbox(tenantId);
      await new Promise((resolve) => setImmediate(resolve));
    }
    isOver = true;
    await Promise.all([...writers, ...readers]);

    // Every client was created after the last reset. Its audit event has the time of that reset.
    const trail = await data('/v1/audit/events?limit=100');
    const actions = trail.map(({ action }: { action: string }) => action);
    expect(actions.filter((action: string) => action === 'sandbox.reset')).toHaveLength(1);
    const created = trail.filter(({ action }: { action: string }) => action === 'client.created');
    expect(await data('/v1/clients?limit=100')).toHaveLength(seeded.length + created.length);
    await story.server.resetSandbox(tenantId);
    expect((await data('/v1/clients')).map(({ id }: { id: string }) => id)).toEqual(seeded.map(({ id }) => id));
  });

  test('covers every table that holds rows of a tenant', async () => {
    const { db } = story.server;
    const tables = await select<{ name: string }>(
      db,
      db.kind === 'sqlite'
        ? "SELECT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'tenant_id'"
        : "SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND column_name = 'tenant_id'",
    );
    expect(tables.map(({ name }) => name).sort()).toEqual([...RESET_TABLES, ...KEPT_TABLES].sort());
  });
});

test('createTestServer starts a separate server with a seeded sandbox in one call', async () => {
  const server = await createTestServer();
  try {
    const sandbox = await server.createSandbox();
    const own = apiOf(server.baseUrl, sandbox.apiKey);
    expect((await own('/v1/clients')).body.data).toHaveLength(2);
  } finally {
    await server.close();
  }
});
