import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@plat/contract';
import { expect, test } from 'vitest';
import { QUOTA_NAMES, type QuotaLimits } from '../config/quotas.ts';
import { newId } from '../kernel/ids.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { createQuotas } from './quotas.ts';
import { execute } from './sql.ts';
import { unitOfWork } from './unit-of-work.ts';

const limits = Object.fromEntries(QUOTA_NAMES.map((name) => [name, LIMITS.quotas[name].production])) as QuotaLimits;

test('the quota of webhook endpoints is exact, also for a process that has counted before another one created them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plat-quotas-'));
  const db = await openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  try {
    await migrate(db);
    const tenantId = newId('tenant');
    const quotas = createQuotas({ production: limits, sandbox: limits });
    const reserve = () =>
      unitOfWork(db, (transaction) =>
        quotas.reserve({ db, transaction, tenantId, sandbox: false }, 'webhook_endpoints'),
      );
    await reserve();
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
    await expect(reserve()).rejects.toMatchObject({ code: 'WEBHOOK_ENDPOINT_LIMIT' });
  } finally {
    await db.close();
    await rm(folder, { recursive: true });
  }
});
