import { findApiKey, mintApiKey } from '../auth/api-keys.ts';
import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createTenant, seedSandbox } from './seed.ts';

/** The sandbox tenant and a key to it. */
export interface Sandbox {
  readonly tenantId: string;
  readonly apiKey: string;
}

/**
 * The sandbox of this machine: made and seeded the first time, and found again later. The key that is known from
 * the last start is kept while it works; keys are stored as hashes, so one that is lost is replaced.
 */
export async function ensureSandbox(db: Database, knownKey: string | undefined, now: number): Promise<Sandbox> {
  if (knownKey !== undefined) {
    const credential = await findApiKey(db, knownKey);
    if (credential && credential !== 'vendor') return { tenantId: credential.tenantId, apiKey: knownKey };
  }
  return unitOfWork(db, async (transaction) => {
    const found = await selectOne<{ id: string }>(
      db,
      'SELECT id FROM tenants WHERE sandbox = 1 ORDER BY id LIMIT 1',
      {},
      transaction,
    );
    const tenantId = found?.id ?? (await createTenant(db, transaction, { name: 'Sandbox', sandbox: true, now }));
    if (!found) await seedSandbox(db, transaction, tenantId, now);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode: 'test', now });
    return { tenantId, apiKey };
  });
}
