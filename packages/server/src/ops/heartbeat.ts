import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { readDatabaseClock } from '../db/clock-watch.ts';
import type { Database } from '../db/database.ts';
import { databaseNow } from '../db/database-clock.ts';
import { execute, select } from '../db/sql.ts';
import type { ProcessRow } from '../db/tables/processes.ts';
import type { Sealer } from '../kernel/seal.ts';
import type { VersionInfo } from './version-info.ts';

/** Interval of the renewals, in ms. */
const EVERY_MS = 10_000;
/** A process that has not renewed its row for this long counts as ended, in ms. */
export const ALIVE_MS = 45_000;
/** Time for which a process that ended without notice is listed, in ms. */
const LISTED_MS = 24 * 3_600_000;

/** A process, as another one sees it. */
export interface SeenProcess extends Omit<ProcessRow, 'id'> {
  readonly is_alive: 0 | 1;
}

export interface HeartbeatServices {
  readonly db: Database;
  readonly sealer: Sealer;
}

/** Renews the row of this process until it ends. Failures are logged once: the process works without it. */
export function startHeartbeat(
  { db, sealer }: HeartbeatServices,
  kind: ProcessRow['kind'],
  { version, commit }: VersionInfo,
  log: Logger,
): { stop(): Promise<void> } {
  const id = randomUUID();
  const host = hostname()
    .slice(0, 64)
    .replace(/[^\w.-]/g, '_');
  const now = databaseNow(db);
  const [masterKey = null] = sealer.marks;
  let isFailing = false;
  let beating = beat();
  const timer = setInterval(() => {
    beating = beating.then(beat);
  }, EVERY_MS).unref();

  return {
    async stop() {
      clearInterval(timer);
      await beating;
      await execute(db, 'DELETE FROM processes WHERE id = :id', { id }).catch((error: unknown) => {
        log.warn(
          { err: error },
          `could not record that this process ends: it counts as running for ${ALIVE_MS / 1000} s`,
        );
      });
    },
  };

  async function beat(): Promise<void> {
    try {
      const offset = await clockOffset(db);
      const renewed = await execute(
        db,
        `UPDATE processes SET seen_at = ${now}, clock_offset_ms = :offset WHERE id = :id`,
        { id, offset },
      );
      if (renewed === 0) await insert(offset);
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'could not record that this process runs');
      isFailing = true;
    }
  }

  async function insert(offset: number): Promise<void> {
    await execute(db, `DELETE FROM processes WHERE seen_at < ${now} - :listed`, { listed: LISTED_MS });
    await execute(
      db,
      `INSERT INTO processes (id, kind, host, pid, version, commit_id, clock_offset_ms, started_at, seen_at, master_key)
       VALUES (:id, :kind, :host, :pid, :version, :commit, :offset, ${now}, ${now}, :masterKey)`,
      { id, kind, host, pid: process.pid, version, commit, offset, masterKey },
    );
  }
}

/** Returns the clock of this process less the clock of the database, in ms. */
export async function clockOffset(db: Database): Promise<number> {
  const now = await readDatabaseClock(db);
  return Date.now() - now;
}

/** Returns the running processes that encrypt with another master key. Those of older versions stored none. */
export function processesWithOtherKey(
  db: Database,
  mark: string,
): Promise<Pick<ProcessRow, 'kind' | 'host' | 'pid'>[]> {
  return select(
    db,
    `SELECT kind, host, pid FROM processes WHERE seen_at > ${databaseNow(db)} - ${ALIVE_MS} AND master_key <> :mark`,
    { mark },
  );
}

/** Returns the processes of the last day that run, or that ended without notice; the latest first. */
export function readProcesses(db: Database): Promise<SeenProcess[]> {
  const now = databaseNow(db);
  return select<SeenProcess>(
    db,
    `SELECT kind, host, pid, version, commit_id, clock_offset_ms, started_at, seen_at, master_key,
       CASE WHEN seen_at > ${now} - ${ALIVE_MS} THEN 1 ELSE 0 END AS is_alive
     FROM processes WHERE seen_at > ${now} - ${LISTED_MS} ORDER BY seen_at DESC, started_at DESC`,
  );
}
