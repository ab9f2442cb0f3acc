import { ALL_APP_EVENT_TYPES, ALL_EVENT_TYPES, type AnyEventType, isId, LIMITS } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { type SqlValues, select, selectOne, selectText, unionAll } from '../../db/sql.ts';
import type { EventRow } from '../../db/tables/events.ts';
import { lowestIdAt } from '../../kernel/ids.ts';
import type { ClaimedReplay } from './replay-jobs.ts';

/** Events of a tenant in the order of their ids: after `after`, up to `upTo`. */
export interface Range {
  readonly tenantId: string;
  readonly after: string;
  readonly upTo: string;
  /** Event types; null: all. */
  readonly types: readonly AnyEventType[] | null;
}

/** The columns of an event that a replay reads. */
export type EventInRange = Pick<EventRow, 'id' | 'type'>;

/**
 * Events are not replayed in the last hour of their retention. Housekeeping deletes deliveries shortly before their event,
 * so delivered events would look missed.
 */
const REPLAYABLE_MS = LIMITS.webhook.eventRetentionSeconds * 1000 - 3_600_000;

/** Returns the part of a job's window that still exists at `now`. */
export function windowOf(
  {
    tenant_id: tenantId,
    since_at,
    until_at,
    types,
  }: Pick<ClaimedReplay, 'tenant_id' | 'since_at' | 'until_at' | 'types'>,
  now: number,
): Range {
  const after = lowestIdAt('event', Math.max(since_at, now - REPLAYABLE_MS));
  return { tenantId, after, upTo: lowestIdAt('event', until_at), types };
}

/** Counts the events of a range, type by type, in the index of types. */
export async function* countEvents(db: Database, { tenantId, after, upTo, types }: Range): AsyncGenerator<number> {
  const sql = `SELECT COUNT(*) AS n FROM events WHERE tenant_id = :tenantId AND type = :type AND id > :after AND id <= :upTo`;
  for (const type of types ?? (isId('app', tenantId) ? ALL_APP_EVENT_TYPES : ALL_EVENT_TYPES)) {
    const row = await selectOne<{ n: number }>(db, sql, { tenantId, type, after, upTo });
    yield row?.n ?? 0;
  }
}

/** Reads the first events of a range, by the primary key or by the index of types. */
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
    return first(` AND type = :type${index}`);
  });
  const rows = await selectText<EventInRange>(db, unionAll(db, parts), values, transaction);
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
}
