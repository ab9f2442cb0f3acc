import { randomBytes } from 'node:crypto';
import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, KEPT_TABLES, newId, RESET_TABLES, select } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { type Api, apiOf } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { createFullTenant } from '../support/full-tenant.ts';
import { operate } from '../support/operator.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { rowsOfTenant } from '../support/tenant-rows.ts';

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
const run = (...args: string[]) => operate({ DATABASE_URL: story.database.url, PLAT_MASTER_KEY }, ...args);

const LISTS = [
  'clients',
  'groups',
  'users',
  'roles',
  'webhooks/endpoints',
  'webhooks/events',
  'webhooks/deliveries',
].map((list) => `${list}?limit=100`);
const listsOf = (api: Api) =>
  Promise.all(['tenant', 'settings', ...LISTS].map(async (path) => (await api(`/v1/${path}`)).body));

/** The sandbox that the first test imports, with rows in every table. */
let sandbox = '';

test('a tenant that was exported and deleted is imported as it was', async () => {
  const { server } = story;
  const { tenantId, api } = await createFullTenant(server, story.database.url);
  const lists = await listsOf(api);
  const folder = join(tempFolder('export').path, 'tenant');

  expect((await run('tenants', 'export', tenantId, folder)).stderr).toMatch(`plat-server tenants suspend ${tenantId}`);
  await server.setTenantStatus(tenantId, 'suspended');
  const below = await run('tenants', 'export', tenantId, join(folder, 'deeper'));
  expect(below.stderr).toMatch(/\(ENOENT\): create the folder above it first$/m);
  const audited = "SELECT id FROM audit_events WHERE action = 'tenant.exported' AND tenant_id = :tenantId";
  expect(await select(server.db, audited, { tenantId })).toEqual([]);
  const exported = await run('tenants', 'export', tenantId, folder);
  expect(exported.stderr).toBe('');
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  expect(manifest).toMatchObject({ format: 2, tenant: { id: tenantId }, files: exported.json });
  expect(readdirSync(folder)).toHaveLength(exported.json.length + 1);
  expect((await run('tenants', 'import', folder)).stderr).toMatch(/there is a tenant tnt_\w+ already/);
  const before = await rowsOfTenant(server, tenantId);

  await execute(server.db, 'UPDATE tenants SET delete_after = 1 WHERE id = :tenantId', { tenantId });
  await server.housekeeping();
  const damaged = join(tempFolder('damaged').path, 'tenant');
  cpSync(folder, damaged, { recursive: true });
  appendFileSync(join(damaged, 'clients.ndjson'), '\n');
  // Rows of an import that was cut off.
  await execute(
    server.db,
    `INSERT INTO client_limits (tenant_id, client_id, capabilities, created_at, updated_at)
    VALUES (:tenantId, 'cli_left', '[]', 0, 0)`,
    { tenantId },
  );
  const [changed, otherKey] = await Promise.all([
    run('tenants', 'import', damaged),
    operate(story.database.url, 'tenants', 'import', folder),
  ]);
  expect(changed.stderr).toMatch(/clients\.ndjson was changed/);
  expect(otherKey.stderr).toMatch(/cannot be opened.*PLAT_MASTER_KEY/);
  expect((await rowsOfTenant(server, tenantId)).get('tenants')).toEqual([]);

  expect((await run('tenants', 'import', folder)).json).toEqual(exported.json);
  const after = await rowsOfTenant(server, tenantId);
  for (const { table, rows } of manifest.files) {
    const imported = after.get(table);
    // Log entries are written later than their requests.
    if (table === 'requests') expect(imported).toHaveLength(rows);
    else if (table === 'audit_events') expect(imported?.slice(0, -1)).toEqual(before.get(table));
    else expect(imported, table).toEqual(before.get(table));
  }
  await server.setTenantStatus(tenantId, 'active');
  const [tenant, settings, ...imported] = await listsOf(api);
  expect(tenant).toMatchObject({ id: tenantId, status: 'active' });
  expect(settings).toEqual(lists[1]);
  expect(imported.flatMap(({ data }) => data)).toEqual(
    expect.arrayContaining(lists.slice(2).flatMap(({ data }) => data)),
  );
  sandbox = tenantId;
});

test('a tenant of an installation with another master key is imported under the key of this one', async () => {
  const { tenantId, apiKey } = await story.server.createTenant();
  const endpoint = { url: 'http://127.0.0.1:4999/in', events: ['client.created'] };
  await apiOf(story.server.baseUrl, apiKey)('/v1/webhooks/endpoints', { body: endpoint });
  await story.server.setTenantStatus(tenantId, 'suspended');
  const folder = join(tempFolder('export').path, 'tenant');
  expect((await run('tenants', 'export', tenantId, folder)).code).toBe(0);
  const target = await migratedDatabase();
  const own = randomBytes(32).toString('base64');
  const at = (key: string) => ({ DATABASE_URL: target.url, PLAT_MASTER_KEY: key });
  try {
    const refused = await operate(at(own), 'tenants', 'import', folder);
    expect(refused.stderr).toMatch(
      /add the master key of the exporting installation to PLAT_MASTER_KEY, after the first/,
    );
    expect((await operate(at(`${own},${PLAT_MASTER_KEY}`), 'tenants', 'import', folder)).stderr).toBe('');
    const { code, json } = await operate(at(own), 'secrets', 'status');
    expect([code, json.unreadable]).toEqual([0, []]);
    expect(json.kinds).toContainEqual({ kind: 'endpoint secret', current: 1, to_reencrypt: 0, unreadable: 0 });
  } finally {
    await target.drop();
  }
});

test('a reset keeps its credentials and their owners; of all else only what was seeded is left', async () => {
  const { server } = story;
  const before = await rowsOfTenant(server, sandbox);
  const idsIn = (table: string) => (before.get(table) ?? []).map((row) => String(Reflect.get(row, 'id')));
  // Users and the developer call the API in the Explorer.
  const callers = ['api_keys', 'previous_api_keys', 'users', 'developers'].flatMap(idsIn);
  const [hash, at] = [randomBytes(32), Date.now()];
  const claim = { key_hash: hash, request_hash: hash, attempt: 'req', locked_until: at, status: 201, answer: hash };
  await server.db.models.idempotencyKey.bulkCreate(
    callers.map((credential_id) => ({ credential_id, ...claim, created_at: at, expires_at: at + 60_000 })),
  );

  // A moved development clock leaves log entries of the future.
  const future = at + 86_400_000;
  const other = newId('tenant');
  const entry = {
    method: 'GET',
    path: '/v1/me',
    outcome: 'succeeded',
    idempotent_replayed: 0,
    duration_us: 1,
  } as const;
  await server.db.models.request.bulkCreate(
    [sandbox, other].map((tenant_id) => ({ tenant_id, id: newId('request', future), ...entry, created_at: future })),
  );

  await server.resetSandbox(sandbox);
  expect(await select(server.db, 'SELECT tenant_id FROM requests WHERE created_at = :future', { future })).toEqual([
    { tenant_id: other },
  ]);
  const after = await rowsOfTenant(server, sandbox);
  expect(after.get('idempotency_keys')).toEqual([]);
  for (const table of KEPT_TABLES) {
    if (table !== 'requests') expect(after.get(table), table).toEqual(before.get(table));
  }
  const [tenant] = after.get('tenants') ?? [];
  for (const table of RESET_TABLES) {
    const later = (after.get(table) ?? []).filter(
      (row) => Reflect.get(row, 'created_at') !== Reflect.get(tenant ?? {}, 'created_at'),
    );
    expect(later, table).toMatchObject(table === 'audit_events' ? [{ action: 'sandbox.reset' }] : []);
  }
});
