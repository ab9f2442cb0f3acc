import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { ClockWatch } from './db/clock-watch.ts';
import { type Database, openDatabase } from './db/database.ts';
import { markProduction } from './db/installation.ts';
import { migrate } from './db/migrate.ts';
import { createSealer, type Sealer } from './kernel/seal.ts';
import { loadMasterKeys, prepareDataDir } from './ops/data-dir.ts';

/** The migrated database, and the sealer of its secrets. */
export interface Store {
  readonly db: Database;
  readonly sealer: Sealer;
  /** Compares the clocks of the process and the database. */
  readonly clocks: ClockWatch;
}

/** A store with its end. */
export interface OpenStore extends Store {
  close(): Promise<void>;
}

/** @throws StartError, DatabaseUnusableError: one line each, for the operator. */
export async function openStore(config: Config, log: Logger): Promise<OpenStore> {
  if (config.mode === 'development' || config.database.dialect === 'sqlite') prepareDataDir(config);
  const sealer = createSealer(loadMasterKeys(config));
  const db = await openDatabase(config.database);
  const clocks = new ClockWatch({ db, log, maxOffsetMs: config.maxClockOffsetMs });
  const close = async (): Promise<void> => {
    clocks.stop();
    await db.close();
  };
  try {
    await clocks.start();
    await migrate(db);
    if (config.mode === 'production') await markProduction(db, Date.now());
    return { db, sealer, clocks, close };
  } catch (error) {
    await close();
    throw error;
  }
}
