import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS, type QuotaName } from '@plat/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { QUOTA_NAMES, type QuotaLimits } from '../config/quotas.ts';
import { newId } from '../kernel/ids.ts';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createQuotas, type Quotas } from './quotas.ts';
import { execute } from './sql.ts';
import { unitOfWork } from './unit-of-work.ts';

const limits = Object.fromEntries(QUOTA_NAMES.map((name) => [name, LIMITS.quotas[name].production])) as QuotaLimits;

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-quotas-'));
  db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  await migrate(db);
});
afterEach(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

/** Reserves as a process does, for one tenant. */
function reservations(quotas: Quotas, sandbox = false, tenantId = newId('tenant')) {
  const reserve = (name: QuotaName) =>
    unitOfWork(db, (transaction) => quotas.reserve({ db, transaction, tenantId, sandbox }, name));
  return { tenantId, reserve };
}

test('the quota of webhook endpoints is exact, also for a process that has counted before another one created them', async () => {
  const { tenantId, reserve } = reservations(createQuotas({ production: limits, sandbox: limits }));
  await reserve('webhook_endpoints');
  for (let n = 0; n < limits.webhook_endpoints; n++) {
    await execute(
      db,
      `INSERT INTO webhook_endpoints (tenant_id, id, url, url_hash, events, status, secret, created_at, updated_at)
         VALUES (:tenantId, :id, :url, :hash, '["*"]', 'enabled', :hash, 0, 0)`,
      {
        tenantId,
        id: newId('webhook_endpoint'),
        url: `https://example.com/${n}`,
        hash: createHash('sha256').update(String(n)).digest(),
      },
    );
  }
  await expect(reserve('webhook_endpoints')).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_LIMIT' });
});

test('a process permits a sixteenth of the rest between two counts', async () => {
  const production = { ...limits, group_members: 33 };
  const { tenantId, reserve } = reservations(createQuotas({ production, sandbox: limits }));
  await reserve('group_members');
  // Another process creates all of them.
  for (let n = 0; n < 33; n++) {
    await execute(
      db,
      `INSERT INTO group_members (tenant_id, group_id, client_id, created_at, updated_at)
       VALUES (:tenantId, :groupId, :clientId, 0, 0)`,
      { tenantId, groupId: newId('group'), clientId: newId('client') },
    );
  }
  for (let n = 0; n < 2; n++) await reserve('group_members');
  await expect(reserve('group_members')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
});

test('what a process permits one tenant, it permits no other tenant, and for no other quota', async () => {
  const quotas = createQuotas({ production: { ...limits, users: 0 }, sandbox: { ...limits, clients: 0 } });
  const { reserve } = reservations(quotas);
  await reserve('clients');
  await expect(reserve('users')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  await expect(reservations(quotas, true).reserve('clients')).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
  await reserve('clients');
});
