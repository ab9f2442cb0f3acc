import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../config/read-config.ts';
import { createMigratedFile } from '../../db/migrated-file.ts';
import { logStatements } from '../../db/sequelize-internals.ts';
import { asOperator, type Operator } from './operator.ts';
import { exportTenant } from './tenant-export.ts';
import { importTenant } from './tenant-import.ts';
import { changeTenantStatus, createProductionTenant } from './tenants.ts';

let folder: string;
let other: DatabaseSync;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-archives-'));
  await createMigratedFile(join(folder, 'plat.db'));
  other = new DatabaseSync(join(folder, 'plat.db'));
});
afterEach(async () => {
  other.close();
  await rm(folder, { recursive: true });
});

function run<T>(work: (operator: Operator) => Promise<T>): Promise<T> {
  const config = readConfig({ DATABASE_URL: `sqlite:${join(folder, 'plat.db')}`, PLAT_DATA_DIR: folder });
  return asOperator(config, pino({ level: 'silent' }), work);
}

async function suspendedTenant(operator: Operator): Promise<string> {
  const { tenant_id: id } = await createProductionTenant(operator, { name: 'Acme', ownerEmail: 'a@acme.example' });
  await changeTenantStatus(operator, id, 'suspended');
  return id;
}

describe('an export', () => {
  test('is refused when the deletion of the tenant may have begun', async () => {
    const target = join(folder, 'export');
    await run(async (operator) => {
      const id = await suspendedTenant(operator);
      other.exec('UPDATE tenants SET delete_after = 1');
      await expect(exportTenant(operator, id, target)).rejects.toThrow(/the grace of tnt_\w+ is over/);
    });
    expect(existsSync(target)).toBe(false);
  });

  test.each([
    ['reactivates it', "UPDATE tenants SET status = 'active', updated_at = updated_at + 1"],
    ['deletes it', 'DELETE FROM tenants'],
    ['begins to delete it', 'UPDATE tenants SET delete_after = 1'],
    [
      'bills it',
      `INSERT INTO audit_events (tenant_id, id, actor_type, action, target_type, target_id, created_at)
       SELECT id, 'aud_zzzz', 'api_key', 'payment.recorded', 'payment', 'pay_1', 0 FROM tenants`,
    ],
  ])('has no manifest when another process %s meanwhile', async (_, change) => {
    const target = join(folder, 'export');
    await run(async (operator) => {
      const id = await suspendedTenant(operator);
      const stop = logStatements(operator.db.sequelize, (statement) => {
        if (/ FROM clients /.test(statement)) other.exec(change);
      });
      await expect(exportTenant(operator, id, target)).rejects.toThrow(/changed during the export|there is no tenant/);
      stop();
    });
    expect(existsSync(join(target, 'manifest.json'))).toBe(false);
  });
});

const tables = [{ file: 'tenants.ndjson', table: 'tenants', rows: 1, sha256: '' }];
test.each([
  ['nothing', null],
  ['no tenant', { format: 2, migrations: [], files: tables }],
  [
    'an app in place of a tenant',
    { format: 2, migrations: [], files: tables, tenant: { id: 'app_01hzzzzzzzzzzzzzzzzzzzzzzz' } },
  ],
  [
    'a tenant without its row',
    { format: 2, migrations: [], files: [], tenant: { id: 'tnt_01hzzzzzzzzzzzzzzzzzzzzzzz' } },
  ],
])('an import of a manifest with %s is refused', async (_, manifest) => {
  await mkdir(join(folder, 'export'));
  await writeFile(join(folder, 'export', 'manifest.json'), JSON.stringify(manifest));
  await expect(run((operator) => importTenant(operator, join(folder, 'export')))).rejects.toThrow(
    /is no complete export/,
  );
});

const GIVE_PLAN = `INSERT INTO plans (id, slug, name, currency, amount, billing_interval, capabilities, created_at, updated_at)
  VALUES ('pln_1', 'growth', 'Growth', 'EUR', 1, 'month', '[]', 0, 0); UPDATE tenants SET plan_id = 'pln_1'`;

test('an import finds the plan of the tenant by its slug, or names the commands that help', async () => {
  const target = join(folder, 'export');
  await run(async (operator) => {
    const id = await suspendedTenant(operator);
    other.exec(GIVE_PLAN);
    await exportTenant(operator, id, target);
    other.exec("DELETE FROM tenants; UPDATE plans SET slug = 'other'");
    await expect(importTenant(operator, target)).rejects.toThrow(
      /no plan "growth".* catalog apply, .*plat-server tenants plan tnt_\w+ --none$/,
    );
    other.exec("UPDATE plans SET slug = 'growth', id = 'pln_2'");
    await importTenant(operator, target);
  });
  expect(other.prepare('SELECT plan_id FROM tenants').all()).toEqual([{ plan_id: 'pln_2' }]);
});

test('an import needs the apps of consents that work, and no app of an ended one', async () => {
  const target = join(folder, 'export');
  await run(async (operator) => {
    const id = await suspendedTenant(operator);
    other.exec(`INSERT INTO oauth_grants
      (id, tenant_id, app_id, granted_by, scopes, status, generation, expires_at, created_at, updated_at)
      VALUES ('gra_1', '${id}', 'app_deleted', 'usr_1', '[]', 'revoked', 1, 0, 0, 0)`);
    await exportTenant(operator, id, target);
    other.exec('DELETE FROM oauth_grants; DELETE FROM tenants');
    await importTenant(operator, target);
    expect(other.prepare('SELECT app_id FROM oauth_grants').all()).toEqual([{ app_id: 'app_deleted' }]);
    other.exec("UPDATE oauth_grants SET status = 'active'");
    await exportTenant(operator, id, `${target}-again`);
    other.exec('DELETE FROM oauth_grants; DELETE FROM tenants');
    await expect(importTenant(operator, `${target}-again`)).rejects.toThrow('no app app_deleted');
  });
});

test('an import deletes nothing of a tenant that another import completes meanwhile', async () => {
  const target = join(folder, 'export');
  await run(async (operator) => {
    const id = await suspendedTenant(operator);
    other.exec(GIVE_PLAN);
    await exportTenant(operator, id, target);
    other.exec('CREATE TABLE completed AS SELECT * FROM tenants; DELETE FROM tenants');
    const stop = logStatements(operator.db.sequelize, (statement) => {
      if (/ FROM .?plans/.test(statement)) other.exec('INSERT INTO tenants SELECT * FROM completed');
    });
    await expect(importTenant(operator, target)).rejects.toThrow(/there is a tenant tnt_\w+ already/);
    stop();
    expect(other.prepare('SELECT tenant_id FROM api_keys').all()).toEqual([{ tenant_id: id }]);
  });
});

test('of two imports at once, one creates the tenant with all rows, and the other is refused', async () => {
  const target = join(folder, 'export');
  const id = await run(async (operator) => {
    const tenantId = await suspendedTenant(operator);
    await exportTenant(operator, tenantId, target);
    return tenantId;
  });
  for (let round = 0; round < 5; round++) {
    other.exec('DELETE FROM api_keys; DELETE FROM users; DELETE FROM roles; DELETE FROM tenants');
    const imports = [1, 2].map(() => run((operator) => importTenant(operator, target)));
    const [first, second] = (await Promise.allSettled(imports)).toSorted((a, b) => a.status.localeCompare(b.status));
    expect(first?.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { message: `there is a tenant ${id} already` } });
    expect(other.prepare('SELECT tenant_id FROM api_keys').all()).toEqual([{ tenant_id: id }]);
    expect(other.prepare('SELECT tenant_id FROM users').all()).toEqual([{ tenant_id: id }]);
    expect(other.prepare('SELECT job FROM job_leases').all()).toEqual([{ job: 'housekeeping' }]);
  }
});
