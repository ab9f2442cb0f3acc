import type { Database } from './database.ts';
import { execute, selectOne } from './sql.ts';

/** Records that this database is one of production, for good. */
export async function markProduction(db: Database, now: number): Promise<void> {
  const insert = db.kind === 'sqlite' ? 'INSERT OR IGNORE' : 'INSERT IGNORE';
  await execute(db, `${insert} INTO installation (fact, recorded_at) VALUES ('production', :now)`, { now });
}

/** Whether a server in production has ever used this database. */
export async function isOfProduction(db: Database): Promise<boolean> {
  return (await selectOne(db, "SELECT fact FROM installation WHERE fact = 'production'")) !== undefined;
}
