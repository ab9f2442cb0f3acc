import { existsSync } from 'node:fs';
import { ConfigError } from '../../config/config-error.ts';
import type { DatabaseConfig } from '../../config/connections.ts';
import { type Database, placeOf } from '../../db/database.ts';
import { databaseNow } from '../../db/database-clock.ts';
import { migrate, readSchema } from '../../db/migrate.ts';
import { selectOne } from '../../db/sql.ts';
import { CommandError } from '../command-error.ts';
import { compareRows, copyRows, firstFilledTable, isSame, type TableComparison } from '../copy-database.ts';
import { ALIVE_MS } from '../heartbeat.ts';
import { withDatabase } from './inspect.ts';
import type { Configuration, DatabaseAt } from './operator.ts';

export interface CopyOptions {
  /** URL of the database to read. */
  readonly from: string;
  /** URL of the database to write; `DATABASE_URL` by default. */
  readonly to?: string;
  /** Continues an interrupted copy. */
  readonly resume: boolean;
  /** Only compares. */
  readonly compareOnly: boolean;
}

interface CopyReport {
  readonly copied: number;
  /** Duration of the copy without the comparison, in seconds. */
  readonly seconds: number;
  readonly tables: readonly TableComparison[];
  readonly isSame: boolean;
}

/**
 * Copies a database to another one, of any kind, and compares every row and column afterwards. No process may run on
 * either of them.
 * @throws {@link CommandError} for databases that cannot be copied
 */
export async function copyDatabase(
  { config, databaseAt }: Pick<Configuration, 'config' | 'databaseAt'>,
  { from, to, resume, compareOnly }: CopyOptions,
  say: (line: string) => void,
): Promise<CopyReport> {
  const source = configOf('--from', from, databaseAt);
  const target = to === undefined ? config.database : configOf('--to', to, databaseAt);
  if (placeOf(source) === placeOf(target)) throw new CommandError('--from and --to are the same database');
  // Opening a missing file would create it.
  for (const database of compareOnly ? [source, target] : [source]) {
    if (database.dialect !== 'sqlite' || existsSync(database.path)) continue;
    throw new CommandError(`there is no file ${database.path}`);
  }
  return withDatabase(source, (read) =>
    withDatabase(target, async (write) => {
      if (!compareOnly) await migrate(write);
      await requireSameSchema('--from', read);
      await requireSameSchema('--to', write);
      if (!compareOnly) {
        await requireIdle('--from', read);
        await requireIdle('--to', write);
        const filled = await firstFilledTable(write);
        if (filled !== null && !resume) {
          throw new CommandError(
            `--to already has rows, in ${filled}: give an empty database, or --resume to continue an interrupted copy`,
          );
        }
      }
      const startedAt = performance.now();
      const copied = compareOnly
        ? 0
        : await copyRows(read, write, (table, rows) => say(`copied ${table}: ${rows} rows`));
      const seconds = (performance.now() - startedAt) / 1000;
      const tables = await compareRows(read, write, (table, rows) => say(`compared ${table}: ${rows} rows`));
      return { copied, seconds, tables, isSame: tables.every(isSame) };
    }),
  );
}

function configOf(option: string, url: string, databaseAt: DatabaseAt): DatabaseConfig {
  try {
    return databaseAt(url);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(error.problems.map((problem) => problem.replace('DATABASE_URL', option)).join('\n'));
  }
}

/** A process that runs would change rows that are already copied. */
async function requireIdle(option: string, db: Database): Promise<void> {
  const now = databaseNow(db);
  const row = await selectOne<{ running: number }>(
    db,
    `SELECT (SELECT COUNT(*) FROM processes WHERE seen_at > ${now} - ${ALIVE_MS})
       + (SELECT COUNT(*) FROM dispatchers WHERE expires_at > ${now}) AS running`,
  );
  if (row?.running) {
    throw new CommandError(
      `a server or worker runs on the database of ${option}, or was killed within the last minute: stop all of them, and try again`,
    );
  }
}

/** A column that one of the databases lacks could not be copied. Both need exactly the migrations of this version. */
async function requireSameSchema(option: string, db: Database): Promise<void> {
  const { pending, newer } = await readSchema(db);
  if (newer.length > 0) {
    throw new CommandError(
      `the database of ${option} has a newer schema (${newer[0]}): use that version of plat-server`,
    );
  }
  const [missing] = pending;
  if (missing) {
    throw new CommandError(
      `the database of ${option} lacks the migration ${missing.name}: run plat-server migrate up on it first`,
    );
  }
}
