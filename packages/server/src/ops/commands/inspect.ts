import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import type { DatabaseConfig } from '../../config/connections.ts';
import { type Database, openDatabase, reason } from '../../db/database.ts';
import { classOf, databaseErrorOf, isDenied } from '../../db/errors.ts';
import { OperatorError } from '../../kernel/operator-error.ts';
import { CommandError } from '../command-error.ts';

/** Opens the server's database as it is, without a migration; runs the work, and closes the database. */
export async function inspecting<T>({ database }: Config, work: (db: Database) => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite' && !existsSync(database.path)) {
    throw new CommandError(
      `there is no database at ${database.path}: set PLAT_DATA_DIR or DATABASE_URL, or run plat-server migrate up`,
    );
  }
  return withDatabase(database, work);
}

/** Opens a database, which is created if it is missing; runs the work, and closes the database. */
export async function withDatabase<T>(config: DatabaseConfig, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config);
  try {
    return await work(db);
  } catch (error) {
    const cause = databaseErrorOf(error);
    const advice = error instanceof OperatorError ? undefined : adviceFor(cause);
    throw advice === undefined
      ? error
      : new CommandError(`the database reports: ${reason(cause)}; ${advice}`, { cause });
  } finally {
    await db.close();
  }
}

/** Returns the next step after an error that concerns the state of the database; undefined for another error. */
function adviceFor(error: unknown): string | undefined {
  if (isDenied(error)) return 'give the account of DATABASE_URL all rights on the database';
  const known = classOf(error);
  if (known === null) return undefined;
  return known === 'conflict'
    ? 'nothing was changed; run the command again'
    : 'check the server, then run the command again';
}
