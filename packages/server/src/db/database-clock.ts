import type { Database } from './database.ts';

/**
 * The database's clock in SQL, in ms since the epoch. Processes compare leases and due times by it, so that their own
 * clocks may be wrong. It does not depend on the time zone of a session.
 */
export function databaseNow(db: Database): string {
  return db.kind === 'sqlite'
    ? "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    : "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)";
}

const moved = new WeakMap<Database, () => number | undefined>();

/**
 * Overrides the clock used for due times, while it returns a time: for the clock of the development mode, which a
 * developer can move. Leases keep the database clock.
 */
export function followClock(db: Database, clock: () => number | undefined): void {
  moved.set(db, clock);
}

/** The time of the moved clock; undefined while due times use the database clock. */
export function movedNow(db: Database): number | undefined {
  return moved.get(db)?.();
}

/** The current time for due times, in SQL: of the database clock, or of the moved one. */
export function dueNow(db: Database): string {
  return movedNow(db)?.toString() ?? databaseNow(db);
}

/** The earlier of a time, given as SQL, and the database clock: the due time of work for that time. */
export function noLaterThanNow(db: Database, instant: string): string {
  if (movedNow(db) !== undefined) return instant;
  return `${db.kind === 'sqlite' ? 'MIN' : 'LEAST'}(${instant}, ${databaseNow(db)})`;
}
