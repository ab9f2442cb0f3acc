import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import type { DatabaseConfig } from '../../config/connections.ts';
import { type Database, openDatabase } from '../../db/database.ts';
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
  } finally {
    await db.close();
  }
}
