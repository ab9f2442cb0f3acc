import type { Database } from './database.ts';
import { select, usingIndex } from './sql.ts';

/** Tables with an index `<table>_age` on their ids, which start with the time. */
export type AgingTable = 'webhook_deliveries' | 'events' | 'webhook_replays' | 'audit_events' | 'requests';

/** Exclusive bounds of ids. */
export interface Ages {
  readonly after: string;
  /** No bound when absent. */
  readonly below?: string;
}

/** Returns the oldest rows of all tenants within a range of ids, oldest first. */
export function rowsByAge(
  db: Database,
  table: AgingTable,
  { after, below }: Ages,
  limit: number,
): Promise<{ readonly tenant_id: string; readonly id: string }[]> {
  return select(
    db,
    `SELECT tenant_id, id FROM ${table} ${usingIndex(db, `${table}_age`)}
     WHERE id > :after${below === undefined ? '' : ' AND id < :below'} ORDER BY id LIMIT ${limit}`,
    below === undefined ? { after } : { after, below },
  );
}

/** Rows in one statement. */
const ROWS = 5_000;

/** Yields the tenants that have rows after an id, each once, a few at a time. */
export async function* tenantsSince(
  db: Database,
  table: AgingTable,
  id: string,
): AsyncGenerator<readonly string[], void, void> {
  const seen = new Set<string>();
  for (let after = id; ; ) {
    const rows = await rowsByAge(db, table, { after }, ROWS);
    const tenants = new Set(rows.map((row) => row.tenant_id).filter((tenantId) => !seen.has(tenantId)));
    for (const tenantId of tenants) seen.add(tenantId);
    yield [...tenants];
    const last = rows.at(-1);
    if (!last || rows.length < ROWS) return;
    after = last.id;
  }
}
