import type { Database } from '../db/database.ts';
import { selectOne } from '../db/sql.ts';
import { StartError } from './start-error.ts';

/**
 * Requires an empty database for the deterministic mode: a seed generates the same ids again.
 * @throws {@link StartError}
 */
export async function requireEmpty(db: Database): Promise<void> {
  const made =
    (await selectOne(db, 'SELECT id FROM tenants LIMIT 1')) ??
    (await selectOne(db, 'SELECT kid FROM signing_keys LIMIT 1'));
  if (made === undefined) return;
  throw new StartError(
    'PLAT_DETERMINISTIC needs an empty database, in which nothing was made yet: set PLAT_DATA_DIR to a new folder, or DATABASE_URL to a new database',
  );
}
