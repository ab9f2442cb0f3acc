import { chownSync, existsSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { MIGRATIONS } from '../../db/migrations/index.ts';
import { backUpSqlite, checkSqlite, closeSqlite } from '../../db/sqlite-backup.ts';
import { isoTime } from '../../kernel/clock.ts';
import { CommandError } from '../command-error.ts';
import { prepareDataDir } from '../data-dir.ts';

/** Writes a consistent copy of the SQLite file while the server runs. */
export function backUp(config: Config, file: string, now: number) {
  const source = sqliteFileOf(config);
  const target = resolve(file);
  if (!existsSync(source)) throw new CommandError(`there is no database at ${source}`);
  if (existsSync(target)) throw new CommandError(`${target} exists: give a new name`);
  backUpSqlite(source, target);
  return { file: target, bytes: statSync(target).size, at: isoTime(now) };
}

interface RestoreOptions {
  /** Confirms that the present database is replaced. */
  readonly yes: boolean;
  readonly now: number;
}

/** Replaces the SQLite file by a copy that {@link backUp} wrote. The replaced file is kept beside it. */
export function restore(config: Config, file: string, { yes, now }: RestoreOptions) {
  const target = sqliteFileOf(config);
  const source = resolve(file);
  if (!existsSync(source)) throw new CommandError(`there is no file ${source}`);
  const newer = checkSqlite(source).find((name) => !MIGRATIONS.some((known) => known.name === name));
  if (newer !== undefined) {
    throw new CommandError(`${source} comes from a newer version (it has ${newer}): restore it with that version`);
  }
  prepareDataDir(config);
  const isReplaced = existsSync(target);
  if (isReplaced && !yes) throw new CommandError(`this replaces the database at ${target}; confirm with --yes`);
  const kept = `${target}.before-restore-${isoTime(now).replace(/[^0-9TZ]/g, '')}`;
  const restored = `${target}.restored`;
  backUpSqlite(source, restored);
  try {
    if (isReplaced) {
      closeSqlite(target);
      linkSync(target, kept);
    }
  } catch (error) {
    rmSync(restored);
    throw error;
  }
  // SQLite would replay the log of another database over the restored one.
  for (const companion of ['-wal', '-shm']) {
    if (existsSync(target + companion)) renameSync(target + companion, kept + companion);
  }
  leaveToOwnerOf(isReplaced ? kept : dirname(target), restored);
  // Atomic: a server that starts now finds one of the two, and never creates an empty one.
  renameSync(restored, target);
  return { restored: target, bytes: statSync(target).size, kept: isReplaced ? kept : null };
}

/** The user of the server cannot open a file that root creates. */
function leaveToOwnerOf(path: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(path);
  chownSync(file, uid, gid);
}

function sqliteFileOf({ database }: Config): string {
  if (database.dialect === 'sqlite') return database.path;
  throw new CommandError('this command is for SQLite; docs/backup.md has the commands for MySQL and MariaDB');
}
