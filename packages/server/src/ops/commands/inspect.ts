import { existsSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { CommandError } from '../command-error.ts';

/** Opens the server's database as it is, without a migration; runs the work, and closes the database. */
export async function inspecting<T>({ database }: Config, work: (db: Database) => Promise<T>): Promise<T> {
  if (database.dialect === 'sqlite' && !existsSync(database.path)) {
    throw new CommandError(
      `there is no database at ${database.path}: set PLAT_DATA_DIR or DATABASE_URL, or run plat-server migrate up`,
    );
  }
  const db = await openDatabase(database);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
