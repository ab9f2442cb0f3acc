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

/** The earlier one of an instant, given as SQL, and the database's clock: when something of that instant is due. */
export function noLaterThanNow(db: Database, instant: string): string {
  return `${db.kind === 'sqlite' ? 'MIN' : 'LEAST'}(${instant}, ${databaseNow(db)})`;
}
