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

/** The sandbox of this data folder: whose it is, and a key to it. */
export interface Sandbox {
  readonly developer: Developer;
  readonly apiKey: string;
  /**
   * Hint of the key that this start replaced: one that was minted elsewhere, so that the data folder does not have it. null
   * where no key was replaced.
   */
  readonly replacedKey: string | null;
}

/**
 * The sandbox of this data folder: made and seeded the first time, with a developer account, and found again later. The
 * key of the last start is kept while it works; keys are stored as hashes, so one that is lost is replaced. Sandboxes
 * that others made in the same database are never touched.
 */
export async function ensureSandbox(db: Database, known: Partial<SandboxFile> | null, now: number): Promise<Sandbox> {
  await ensureSampleCatalog(db, now);
  for (;;) {
    try {
      return await findOrCreate(db, known, now);
    } catch (error) {
      // Another process took the e-mail address that was free a moment ago; the next look finds another one.
      if (!violates(error, DEVELOPER_EMAIL)) throw error;
    }
  }
}

async function findOrCreate(db: Database, known: Partial<SandboxFile> | null, now: number): Promise<Sandbox> {
  const knownKey = known?.api_key ?? '';
  const opened = await tenantOf(db, knownKey);
  return unitOfWork(db, async (transaction) => {
    const developer =
      (await findOwn(db, transaction, known?.tenant_id)) ??
      (await createDeveloper(db, transaction, { email: await freeEmail(db, transaction, now), actor: SYSTEM, now }));
    const { tenantId } = developer;
    if (opened === tenantId) return { developer, apiKey: knownKey, replacedKey: null };
    const createdBy = seededId(tenantId, 'user', 0);
    const replaced = await findTenantKey(db, tenantId, transaction);
    const apiKey = await mintApiKey(db, transaction, { tenantId, mode: 'test', createdBy, now });
    return { developer, apiKey, replacedKey: replaced?.hint ?? null };
  });
}

async function findOwn(db: Database, transaction: Transaction, tenantId: unknown): Promise<Developer | undefined> {
  if (!isId('tenant', tenantId)) return undefined;
  const row = await db.models.developer.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
  return row ? { id: row.id, email: row.email, tenantId } : undefined;
}

/** The tenant that a key opens, if it works. */
async function tenantOf(db: Database, apiKey: string): Promise<string | null> {
  const credential = await findApiKey(db, apiKey);
  return credential === null || credential === 'vendor' ? null : credential.tenantId;
}

/** Of nobody else's: data folders may share a database. */
async function freeEmail(db: Database, transaction: Transaction, now: number): Promise<string> {
  const email = 'developer@sandbox.example';
  const isTaken = (await findDeveloper(db, transaction, email)) !== undefined;
  return isTaken ? `developer-${newId('developer', now).slice(-8)}@sandbox.example` : email;
}
