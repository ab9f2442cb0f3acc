import { isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { createTenant } from '../accounts/tenants.ts';
import { findApiKey, mintApiKey } from '../auth/api-keys.ts';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { seededId } from '../kernel/ids.ts';
import { seedSandbox } from './seed.ts';

/** The sandbox tenant and a key to it. */
export interface Sandbox {
  readonly tenantId: string;
  readonly apiKey: string;
}

/** What the last start left in the sandbox file. */
interface Known {
  readonly tenant_id?: string;
  readonly api_key?: string;
}

/**
 * The sandbox of this data folder: made and seeded the first time, and found again later. The key of the last start
 * is kept while it works; keys are stored as hashes, so one that is lost is replaced. Sandboxes that others made in
 * the same database are never touched.
 */
export async function ensureSandbox(db: Database, known: Known | null, now: number): Promise<Sandbox> {
  if (known?.api_key !== undefined) {
    const credential = await findApiKey(db, known.api_key);
    if (credential && credential !== 'vendor') return { tenantId: credential.tenantId, apiKey: known.api_key };
  }
  return unitOfWork(db, async (transaction) => {
    const tenantId =
      (await findSandbox(db, transaction, known?.tenant_id)) ?? (await makeSandbox(db, transaction, now));
    const apiKey = await mintApiKey(db, transaction, {
      tenantId,
      mode: 'test',
      createdBy: seededId(tenantId, 'user', 0),
      now,
    });
    return { tenantId, apiKey };
  });
}

async function findSandbox(db: Database, transaction: Transaction, tenantId: unknown): Promise<string | undefined> {
  if (!isId('tenant', tenantId)) return undefined;
  const row = await selectOne<{ id: string }>(
    db,
    'SELECT id FROM tenants WHERE id = :tenantId AND sandbox = 1',
    { tenantId },
    transaction,
  );
  return row?.id;
}

async function makeSandbox(db: Database, transaction: Transaction, now: number): Promise<string> {
  const owner = { email: 'owner@sandbox.example', name: null };
  const { tenantId } = await createTenant(db, transaction, { name: 'Sandbox', sandbox: true, owner, now });
  await seedSandbox(db, transaction, tenantId, now);
  return tenantId;
}
