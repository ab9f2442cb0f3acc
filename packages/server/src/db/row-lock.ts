import type { Database } from './database.ts';

/** The end of a SELECT whose rows are about to change. SQLite's one writer needs no row locks. */
export function forUpdate(db: Database): string {
  return db.kind === 'sqlite' ? '' : ' FOR UPDATE';
}
