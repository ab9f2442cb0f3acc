import { SAMPLE_CATALOG } from '@plat/contract';
import { UniqueConstraintError } from 'sequelize';
import { applyCatalog, hasCatalog } from '../accounts/catalog.ts';
import type { Database } from '../db/database.ts';
import { unitOfWork } from '../db/unit-of-work.ts';

/** Stores the sample modules and plans if the platform has none. Of two concurrent processes one stores them. */
export async function ensureSampleCatalog(db: Database, now: number): Promise<void> {
  try {
    await unitOfWork(db, async (transaction) => {
      if (!(await hasCatalog(db, transaction))) await applyCatalog(db, transaction, SAMPLE_CATALOG, now);
    });
  } catch (error) {
    // A slug violates its unique index: the other process has committed the same catalog.
    if (!(error instanceof UniqueConstraintError)) throw error;
  }
}
