import type { Database } from '../db/database.ts';
import { StartError } from './start-error.ts';

/**
 * Requires an empty database for the deterministic mode: a seed generates the same ids again.
 * @throws {@link StartError}
 */
export async function requireEmpty(db: Database): Promise<void> {
  const { tenant, signingKey } = db.models;
  if ((await tenant.findOne({ raw: true })) === null && (await signingKey.findOne({ raw: true })) === null) return;
  throw new StartError(
    'PLAT_DETERMINISTIC needs an empty database, in which nothing was made yet: set PLAT_DATA_DIR to a new folder, or DATABASE_URL to a new database',
  );
}
