import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { ClockWatch } from './db/clock-watch.ts';
import { type Database, openDatabase, reason } from './db/database.ts';
import { markProduction } from './db/installation.ts';
import { migrate, requireMigrated } from './db/migrate.ts';
import { untilElected } from './db/until-elected.ts';
import { createSealer, type Sealer } from './kernel/seal.ts';
import { loadMasterKeys, prepareDataDir } from './ops/data-dir.ts';

/** The database, with the schema of this version or a newer one, and the sealer of its secrets. */
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

interface StoreOptions {
  /** True: migrates the database in any case. */
  readonly migrates?: boolean | undefined;
  /** Further work of the start on the database. */
  readonly prepare?: (store: Store) => Promise<void>;
}

/**
 * Opens the database. Migrates it on SQLite, in development, or on request: elsewhere, the operator decides when. Waits for the
 * election of a cluster, and begins again when the primary is lost meanwhile.
 * @throws StartError, DatabaseUnusableError: one line each, for the operator.
 */
export async function openStore(config: Config, log: Logger, options: StoreOptions = {}): Promise<OpenStore> {
  if (config.mode === 'development' || config.database.dialect === 'sqlite') prepareDataDir(config);
  const sealer = createSealer(loadMasterKeys(config));
  return untilElected(
    async (reached) => {
      const db = await openDatabase(config.database);
      reached();
      return prepareStore(db, sealer, config, log, options);
    },
    (error) => log.warn(`waiting up to a minute for a database server that accepts changes: ${reason(error)}`),
  );
}

async function prepareStore(
  db: Database,
  sealer: Sealer,
  config: Config,
  log: Logger,
  { migrates = false, prepare }: StoreOptions,
): Promise<OpenStore> {
  const clocks = new ClockWatch({ db, log, maxOffsetMs: config.maxClockOffsetMs });
  const close = async (): Promise<void> => {
    clocks.stop();
    await db.close();
  };
  const store = { db, sealer, clocks };
  try {
    await clocks.start();
    const isOwn = config.mode === 'development' || db.kind === 'sqlite';
    const onWait = () => log.warn('waiting for another process, which migrates the database');
    await (isOwn || migrates ? migrate(db, { onWait }) : requireMigrated(db));
    if (config.mode === 'production') await markProduction(db, Date.now());
    await prepare?.(store);
    return { ...store, close };
  } catch (error) {
    await close();
    throw error;
  }
}
