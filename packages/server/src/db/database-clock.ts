import type { Database } from './database.ts';

/**
 * The database's clock in SQL, in ms since the epoch. Processes compare leases and due times by it, so that their
 * own clocks may be wrong; it depends on no time zone of a session.
 */
export function databaseNow(db: Database): string {
  return db.kind === 'sqlite'
    ? "CAST(unixepoch('subsec') * 1000 AS INTEGER)"
    : "(TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000)";
}

const moved = new WeakMap<Database, () => number | undefined>();

/**
 * From now on what is due is due by this clock while it answers: the development mode's, that a developer has moved. Leases
 * go by the database's all the same.
 */
export function followClock(db: Database, clock: () => number | undefined): void {
  moved.set(db, clock);
}

/** The instant of the clock that was moved, in ms; undefined while due times go by the database's. */
export function movedNow(db: Database): number | undefined {
  return moved.get(db)?.();
}

/** The instant by which something is due, in SQL: of the database's clock, or of the one that was moved. */
export function dueNow(db: Database): string {
  return movedNow(db)?.toString() ?? databaseNow(db);
}

/** The earlier one of an instant, given as SQL, and the database's clock: when something of that instant is due. */
export function noLaterThanNow(db: Database, instant: string): string {
  if (movedNow(db) !== undefined) return instant;
  return `${db.kind === 'sqlite' ? 'MIN' : 'LEAST'}(${instant}, ${databaseNow(db)})`;
}
