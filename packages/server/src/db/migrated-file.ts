import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

/** For tests: a migrated file of this process. A copy takes a twentieth of the time that the migrations take. */
let original: Promise<string> | undefined;

/** For tests: creates a SQLite file with the schema of this version, unless there is one. */
export async function createMigratedFile(path: string): Promise<void> {
  original ??= migrateOnce();
  const from = await original;
  if (!existsSync(path)) copyFileSync(from, path);
}

/** For tests: opens a new SQLite database in a folder, with the schema of this version. */
export async function openMigrated(folder: string): Promise<Database> {
  const path = join(folder, 'plat.db');
  await createMigratedFile(path);
  return openDatabase({ dialect: 'sqlite', path });
}

async function migrateOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-migrated-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'plat.db');
  const db = await openDatabase({ dialect: 'sqlite', path });
  try {
    await migrate(db);
    return path;
  } finally {
    await db.close();
  }
}
