import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { execute, selectOne } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { insertEvents } from '../support/old-rows.ts';
import { type OperatorAnswer, operate } from '../support/operator.ts';
import { spawnOperated } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { rowsOfTenant } from '../support/tenant-rows.ts';

const PLAT_MASTER_KEY = randomBytes(32).toString('base64');
const story = useServer({ env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY } });
const env = () => ({ DATABASE_URL: story.database.url, PLAT_MASTER_KEY });
const runWith = (others: Readonly<Record<string, string>>, ...args: string[]) =>
  operate({ ...env(), ...others }, ...args);
const run = (...args: string[]) => runWith({}, ...args);

const EVENTS = 20_000;
const BATCH = 2_500;

/** Creates a tenant with so many rows that a command takes a while for them. */
async function largeTenant() {
  const { server } = story;
  const { tenantId, apiKey } = await server.createTenant();
  const at = Date.now() - EVENTS;
  for (let from = 0; from < EVENTS; from += BATCH) await insertEvents(server, tenantId, BATCH, at + from);
  await server.setTenantStatus(tenantId, 'suspended');
  return { tenantId, api: apiOf(server.baseUrl, apiKey) };
}

async function countEvents(tenantId: string): Promise<number> {
  const sql = 'SELECT COUNT(*) AS n FROM events WHERE tenant_id = :tenantId';
  return (await selectOne<{ n: number }>(story.server.db, sql, { tenantId }))?.n ?? 0;
}

/** Runs a command and kills it (SIGKILL) when a part of the events is there. */
async function killInTheMiddle(tenantId: string, all: number, ...args: string[]): Promise<void> {
  const command = spawnOperated(env(), tempFolder('killed').path, args);
  let ended = false;
  void command.exited.then(() => {
    ended = true;
  });
  for (let n = -1; n < 1 || n >= all; ) {
    if (ended) throw new Error(`The command ended before it was killed:\n${command.stdout()}${command.stderr()}`);
    n = await countEvents(tenantId);
  }
  expect(await command.kill9()).toEqual({ code: null, signal: 'SIGKILL' });
}

const tablesWithRows = async (tenantId: string) =>
  [...(await rowsOfTenant(story.server, tenantId))].filter(([, rows]) => rows.length > 0).map(([table]) => table);

test('a deletion of a tenant that was killed is completed by the next run', async () => {
  const { tenantId } = await largeTenant();
  const all = await countEvents(tenantId);
  const due = 'UPDATE tenants SET delete_after = 1 WHERE id = :tenantId';
  await execute(story.server.db, due, { tenantId });
  await killInTheMiddle(tenantId, all, 'housekeeping');
  expect(await tablesWithRows(tenantId)).toContain('tenants');
  expect((await run('tenants', 'restore', tenantId)).stderr).toMatch(/grace of tnt_\w+ is over/);

  expect((await run('housekeeping')).stderr).toMatch('another process is running housekeeping');
  await execute(story.server.db, 'UPDATE job_leases SET expires_at = 1');
  expect((await run('housekeeping')).json).toMatchObject({ tenants: 1 });
  expect(await tablesWithRows(tenantId)).toEqual([]);
});

test('an import of a tenant that was killed leaves no tenant and no valid key, and the next one is complete', async () => {
  const { tenantId, api } = await largeTenant();
  const folder = join(tempFolder('export').path, 'tenant');
  expect((await run('tenants', 'export', tenantId, folder)).stderr).toBe('');
  const all = await countEvents(tenantId);
  await execute(story.server.db, 'UPDATE tenants SET delete_after = 1 WHERE id = :tenantId', { tenantId });
  await story.server.housekeeping();
  expect(await tablesWithRows(tenantId)).toEqual([]);

  await killInTheMiddle(tenantId, all, 'tenants', 'import', folder);
  const left = await tablesWithRows(tenantId);
  expect(left).toContain('events');
  for (const table of ['tenants', 'api_keys', 'previous_api_keys']) expect(left).not.toContain(table);
  expect((await api('/v1/me')).status).toBe(401);

  expect((await run('tenants', 'import', folder)).stderr).toBe('');
  expect(await countEvents(tenantId)).toBe(all);
  await story.server.setTenantStatus(tenantId, 'active');
  expect((await api('/v1/me')).body).toMatchObject({ tenant_id: tenantId });
});

test('housekeeping whose lease another process takes over says so, and fails', async () => {
  const { tenantId } = await largeTenant();
  const all = await countEvents(tenantId);
  await execute(story.server.db, 'UPDATE tenants SET delete_after = 1 WHERE id = :tenantId', { tenantId });
  const command = runWith({ PLAT_LEASE_SECONDS: '1' }, 'housekeeping');
  let answer: OperatorAnswer | undefined;
  void command.then((given) => {
    answer = given;
  });
  for (let n = all; n === all; ) {
    expect(answer, 'the command has not ended').toBeUndefined();
    n = await countEvents(tenantId);
  }
  await execute(story.server.db, "UPDATE job_leases SET owner = 'another', expires_at = 9000000000000");
  const { code, stdout, stderr } = await command;
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('another process is running housekeeping')]);
  expect(await countEvents(tenantId)).toBeGreaterThan(0);
});
