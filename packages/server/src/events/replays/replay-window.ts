import { ALL_EVENT_TYPES, type EventType, LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { type SqlValues, select, selectOne, selectText } from '../../db/sql.ts';
import type { EventRow } from '../../db/tables/events.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import type { ClaimedReplay } from './replay-jobs.ts';

/** Events of a tenant in the order of their ids, between two of them: after the first, up to the second. */
export interface Range {
  readonly tenantId: string;
  readonly after: string;
  readonly upTo: string;
  /** Only of these types; null: of all. */
  readonly types: readonly EventType[] | null;
}

/** What a replay knows of an event. */
export type EventInRange = Pick<EventRow, 'id' | 'type'>;

/**
 * The last hour of an event is not replayed: housekeeping takes its deliveries a moment before itself, and what was delivered
 * would look as if it had been missed.
 */
const KEPT_MS = LIMITS.webhook.eventRetentionSeconds * 1000 - 3_600_000;

/** What a job can still find of its window at an instant. */
export function windowOf(
  {
    tenant_id: tenantId,
    since_at,
    until_at,
    types,
  }: Pick<ClaimedReplay, 'tenant_id' | 'since_at' | 'until_at' | 'types'>,
  now: number,
): Range {
  const after = lowestIdAt('event', Math.max(since_at, now - KEPT_MS));
  return { tenantId, after, upTo: lowestIdAt('event', until_at), types };
}

/** How many events are in a range: counted in the index of types, which is all that is read. */
export async function* countEvents(db: Database, { tenantId, after, upTo, types }: Range): AsyncGenerator<number> {
  const sql = `SELECT COUNT(*) AS n FROM events WHERE tenant_id = :tenantId AND type = :type AND id > :after AND id <= :upTo`;
  for (const type of types ?? ALL_EVENT_TYPES) {
    const row = await selectOne<{ n: number }>(db, sql, { tenantId, type, after, upTo });
    yield row?.n ?? 0;
  }
}

/** The first events of a range: of the primary key, or of each type in the index of types. */
export async function nextEvents(
  db: Database,
  transaction: Transaction,
  { tenantId, after, upTo, types }: Range,
  limit: number,
): Promise<EventInRange[]> {
  const bounds: SqlValues = { tenantId, after, upTo };
  const first = (type: string) =>
    `SELECT id, type FROM events WHERE tenant_id = :tenantId${type} AND id > :after AND id <= :upTo ORDER BY id LIMIT ${limit}`;
  if (types === null) return select<EventInRange>(db, first(''), bounds, transaction);
  const values: Record<string, SqlValues[string]> = { ...bounds };
  const parts = types.map((type, index) => {
    values[`type${index}`] = type;
    // SQLite takes no parentheses around the parts of a UNION.
    return db.kind === 'sqlite'
      ? `SELECT * FROM (${first(` AND type = :type${index}`)})`
      : `(${first(` AND type = :type${index}`)})`;
  });
  const rows = await selectText<EventInRange>(db, parts.join(' UNION ALL '), values, transaction);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}
