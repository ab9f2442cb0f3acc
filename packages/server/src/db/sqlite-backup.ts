import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnusableError, reason } from './database.ts';
import { isBusy } from './sqlite-file.ts';

/** Time in ms that a backup waits for another process to finish its transaction. */
const BUSY_LIMIT_MS = 15_000;

/**
 * Writes a consistent copy of a SQLite file, while processes read and write it. The copy appears under its name when it
 * is complete.
 * @throws {@link DatabaseUnusableError}
 */
export function backUpSqlite(source: string, target: string): void {
  const draft = `${target}.part`;
  try {
    rmSync(draft, { force: true });
    // VACUUM accepts an empty file, and would make a new one readable for everyone.
    closeSync(openSync(draft, 'wx', 0o600));
    withFile(source, (file) => file.prepare('VACUUM INTO ?').run(draft));
    checkSqlite(draft);
    syncFile(draft);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new DatabaseUnusableError(`cannot write a copy of ${source} to ${target}: ${reason(error)}`);
  }
}

/**
 * Checks that a file is a sound database of this service, and returns the names of its migrations.
 * @throws {@link DatabaseUnusableError}
 */
export function checkSqlite(path: string): readonly string[] {
  try {
    return withFile(path, (file) => {
      const found = file
        .prepare('PRAGMA integrity_check')
        .all()
        .map((row) => String(row['integrity_check']));
      if (found.join() !== 'ok') throw new Error(`it is damaged (${found[0]})`);
      return file
        .prepare('SELECT name FROM schema_migrations')
        .all()
        .map((row) => String(row['name']));
    });
  } catch (error) {
    throw new DatabaseUnusableError(`${path} is not a usable copy of the database: ${reason(error)}`);
  }
}

/**
 * Moves all content into the file itself, so that it can be renamed without its companion files.
 * @throws {@link DatabaseUnusableError} when a process uses the file
 */
export function closeSqlite(path: string): void {
  try {
    // Leaving WAL mode needs the only connection to the file.
    withFile(path, (file) => file.exec('PRAGMA journal_mode = DELETE'));
  } catch (error) {
    // A damaged file is moved as it is.
    if (!isBusy(error)) return;
    throw new DatabaseUnusableError(`a server or worker uses ${path}: stop all of them, and try again`);
  }
}

function withFile<T>(path: string, work: (file: DatabaseSync) => T): T {
  const file = new DatabaseSync(path, { timeout: BUSY_LIMIT_MS });
  try {
    return work(file);
  } finally {
    file.close();
  }
}

function syncFile(path: string): void {
  const handle = openSync(path, 'r+');
  fsyncSync(handle);
  closeSync(handle);
}
