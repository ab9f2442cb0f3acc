import { execute, newId } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { expectRefusal } from '../support/api.ts';
import { login, signedInDeveloper } from '../support/developer.ts';
import { dumpOf } from '../support/dump.ts';
import { createEveryObject } from '../support/every-operation.ts';
import { createFullTenant } from '../support/full-tenant.ts';
import { operate } from '../support/operator.ts';
import { insertUnsentEvents } from '../support/replays.ts';
import { useServer } from '../support/story.ts';
import { keysOf, rowsOfTenant } from '../support/tenant-rows.ts';

const DAY_MS = 86_400_000;
/** Rows of grants from before migration 0022, and locks that SQLite does not need. */
const UNUSED = ['oauth_refresh_tokens', 'sandbox_locks'];

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
const run = (...args: string[]) => operate(story.database.url, ...args);
const endGrace = (tenantId: string) =>
  execute(story.server.db, "UPDATE tenants SET status = 'suspended', delete_after = 1 WHERE id = :tenantId", {
    tenantId,
  });

test('a tenant is deleted after its grace with everything it has; another tenant stays as it is', async () => {
  const { server } = story;
  const { tenantId, api } = await createFullTenant(server, story.database.url);
  const other = await createEveryObject(server);

  const { json: scheduled } = await run('tenants', 'delete', tenantId, '--yes');
  expect(scheduled).toMatchObject({ id: tenantId, status: 'suspended' });
  expect(Math.abs(Date.parse(scheduled.delete_after) - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS);
  expectRefusal(await api('/v1/clients'), 'TENANT_SUSPENDED');
  const [unconfirmed, again, shown, reactivated] = await Promise.all([
    run('tenants', 'delete', other.tenantId),
    run('tenants', 'delete', tenantId, '--yes'),
    run('tenants', 'show', tenantId),
    run('tenants', 'reactivate', tenantId),
  ]);
  expect(unconfirmed.stderr).toMatch(/confirm with --yes/);
  expect(again.json).toEqual(scheduled);
  expect(shown.json).toMatchObject({ delete_after: scheduled.delete_after });
  expect(reactivated.stderr).toMatch(`plat-server tenants restore ${tenantId}`);

  const { json: restored } = await run('tenants', 'restore', tenantId);
  expect(restored).toMatchObject({ status: 'active', delete_after: null });
  expect((await api('/v1/audit/events?limit=4')).body.data).toMatchObject([
    { action: 'tenant.reactivated', actor: { type: 'operator' } },
    { action: 'tenant.deletion_cancelled', actor: { type: 'operator' } },
    { action: 'tenant.deletion_scheduled', actor: { type: 'operator' } },
    { action: 'tenant.suspended', actor: { type: 'operator' } },
  ]);

  await run('tenants', 'delete', tenantId, '--yes');
  const before = await rowsOfTenant(server, tenantId);
  const untouched = await rowsOfTenant(server, other.tenantId);
  expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual(UNUSED);
  await server.housekeeping();
  expect(await rowsOfTenant(server, tenantId)).toEqual(before);

  // An event of the same app about another tenant.
  const grant = await server.db.models.oauthGrant.findOne({ where: { tenant_id: tenantId }, raw: true });
  const ofApp = { tenant_id: grant?.app_id ?? '', id: newId('event'), object_id: newId('grant') };
  const event = { type: 'installation.authorized' as const, created: Date.now(), payload: '{}', request_id: null };
  await server.db.models.event.create({ ...ofApp, ...event });

  await endGrace(tenantId);
  expect((await run('tenants', 'restore', tenantId)).stderr).toMatch(/grace of tnt_\w+ is over/);
  expect(await server.housekeeping()).toMatchObject({ tenants: 1 });
  const dump = await dumpOf(server);
  const shared = keysOf(untouched);
  const keys = [...keysOf(before)].filter((key) => !shared.has(key));
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => dump.includes(key))).toEqual([]);
  expect(dump).toContain(ofApp.object_id);
  expect(await rowsOfTenant(server, other.tenantId)).toEqual(untouched);
});

test('a deletion that was cut off continues; a tenant that works again is never deleted', async () => {
  const { server } = story;
  const [half, active, ended] = [await server.createTenant(), await server.createTenant(), await server.createTenant()];
  await endGrace(half.tenantId);
  // The keys and the settings are gone, the row of the tenant is not.
  for (const table of ['api_keys', 'settings']) {
    await execute(server.db, `DELETE FROM ${table} WHERE tenant_id = :tenantId`, { tenantId: half.tenantId });
  }
  await endGrace(active.tenantId);
  // A process of a former version ignores the deletion.
  await execute(server.db, "UPDATE tenants SET status = 'active' WHERE id = :tenantId", { tenantId: active.tenantId });
  // A restoration that began at the end of the grace may commit now.
  const atEnd = { status: 'suspended', delete_after: Date.now() - 1000 } as const;
  await server.db.models.tenant.update(atEnd, { where: { id: ended.tenantId } });
  const kept = () => Promise.all([active, ended].map(({ tenantId }) => rowsOfTenant(server, tenantId)));
  const untouched = await kept();
  await server.housekeeping();
  expect(await dumpOf(server)).not.toContain(half.tenantId);
  expect(await kept()).toEqual(untouched);
});

test('a developer who logs in while the sandbox is deleted leaves no row', async () => {
  const { server } = story;
  const developer = await signedInDeveloper(server);
  const { tenantId } = developer;
  await insertUnsentEvents(server, { tenantId, at: Array.from({ length: 600 }, (_, n) => Date.now() + n) });
  await endGrace(tenantId);
  const deleting = server.housekeeping();
  const keys = () => server.db.models.apiKey.count({ where: { tenant_id: tenantId } });
  await expect.poll(keys, { interval: 5 }).toBe(0);
  await login(server, { ...developer, session: await server.signInDeveloper(developer.id) });
  await deleting;
  const dump = await dumpOf(server);
  expect([tenantId, developer.id].filter((id) => dump.includes(id))).toEqual([]);
});

test('a sandbox whose developer has OAuth apps is not deleted, and does not keep others from it', async () => {
  const { server } = story;
  const { appId, developerId } = await server.createApp();
  const developer = await server.db.models.developer.findByPk(developerId, { raw: true });
  const tenantId = developer?.tenant_id ?? '';
  expect((await run('tenants', 'delete', tenantId, '--yes')).stderr).toMatch(`plat-server apps delete ${appId} --yes`);
  // The app was registered after the command.
  await endGrace(tenantId);
  await endGrace((await server.createTenant()).tenantId);
  const before = await rowsOfTenant(server, tenantId);
  expect(await server.housekeeping()).toMatchObject({ tenants: 1 });
  expect(await rowsOfTenant(server, tenantId)).toEqual(before);
});
