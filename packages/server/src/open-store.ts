import type { Config } from './config/config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { markProduction } from './db/installation.ts';
import { migrate } from './db/migrate.ts';
import { createSealer, type Sealer } from './kernel/seal.ts';
import { loadMasterKeys, prepareDataDir } from './ops/data-dir.ts';

/** The database, up to date, and what opens the secrets in it. */
export interface Store {
  readonly db: Database;
  readonly sealer: Sealer;
}

/** @throws StartError, DatabaseUnusableError: one line each, for the operator. */
export async function openStore(config: Config): Promise<Store> {
  if (config.mode === 'development' || config.database.dialect === 'sqlite') prepareDataDir(config);
  const sealer = createSealer(loadMasterKeys(config));
  const db = await openDatabase(config.database);
  try {
    await migrate(db);
    if (config.mode === 'production') await markProduction(db, Date.now());
    return { db, sealer };
  } catch (error) {
    await db.close();
    throw error;
  }
}
