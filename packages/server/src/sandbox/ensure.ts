import { isId } from '@plat/contract';
import type { Transaction } from 'sequelize';
import { findTenantKey } from '../accounts/api-keys.ts';
import { findApiKey, mintApiKey } from '../auth/api-keys.ts';
import { SYSTEM } from '../change.ts';
import type { Database } from '../db/database.ts';
import { violates } from '../db/errors.ts';
import { DEVELOPER_EMAIL } from '../db/tables/developers.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { createDeveloper, type Developer, findDeveloper } from './developers.ts';
import { ensureSampleCatalog } from './sample-catalog.ts';
import type { SandboxFile } from './sandbox-file.ts';

/** The sandbox of this data folder, with its developer and an API key. */
export interface Sandbox {
  readonly developer: Developer;
  readonly apiKey: string;
  /**
   * Hint of the key that this start replaced. It was created elsewhere, so the data folder does not contain it. Null if
   * no key was replaced.
   */
  readonly replacedKey: string | null;
}

/**
 * Returns the sandbox of this data folder. The first start creates and seeds it, with a developer account; later starts
 * find it. The key of the last start is kept while it is valid. Keys are stored as hashes, so a lost key is replaced.
 * Other sandboxes in the same database are never changed.
 */
export async function ensureSandbox(db: Database, known: Partial<SandboxFile> | null, now: number): Promise<Sandbox> {
  await ensureSampleCatalog(db, now);
  for (;;) {
    try {
      return await findOrCreate(db, known, now);
    } catch (error) {
      // Another process took the free email address. The next attempt finds another one.
      if (!violates(error, DEVELOPER_EMAIL)) throw error;
    }
  }
}

async function findOrCreate(db: Database, known: Partial<SandboxFile> | null, now: number): Promise<Sandbox> {
  const knownKey = known?.api_key ?? '';
  const opened = await tenantOf(db, knownKey, now);
  return unitOfWork(db, async (transaction) => {
    const developer =
      (await findOwn(db, transaction, known?.tenant_id)) ??
      (await createDeveloper(db, transaction, { email: await freeEmail(db, transaction, now), actor: SYSTEM, now }));
    const { tenantId } = developer;
    if (opened === tenantId) return { developer, apiKey: knownKey, replacedKey: null };
    const createdBy = seededId(tenantId, 'user', 0);
    const replaced = await findTenantKey(db, tenantId, now, transaction);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode: 'test', createdBy, now });
    return { developer, apiKey, replacedKey: replaced?.hint ?? null };
  });
}

async function findOwn(db: Database, transaction: Transaction, tenantId: unknown): Promise<Developer | undefined> {
  if (!isId('tenant', tenantId)) return undefined;
  const row = await db.models.developer.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
  return row ? { id: row.id, email: row.email, tenantId } : undefined;
}

/** Returns the tenant of a key, if the key is valid. */
async function tenantOf(db: Database, apiKey: string, now: number): Promise<string | null> {
  const credential = await findApiKey(db, apiKey, now);
  return credential === null || credential.type === 'vendor_key' ? null : credential.tenantId;
}

/** Returns an unused email address: data folders may share a database. */
async function freeEmail(db: Database, transaction: Transaction, now: number): Promise<string> {
  const email = 'developer@sandbox.example';
  const isTaken = (await findDeveloper(db, transaction, email)) !== undefined;
  return isTaken ? `developer-${newId('developer', now).slice(-8)}@sandbox.example` : email;
}
