import type { Database } from '../db/database.ts';
import { type SqlValues, selectOne } from '../db/sql.ts';
import { IS_SENDABLE } from '../mail/mail-queue.ts';

/** Amount of work that is due now or later. */
export interface PendingWork {
  readonly deliveries: number;
  readonly mails: number;
  readonly replays: number;
}

/** SQL: the tenant `t` of the work is not suspended. Otherwise the work waits for its reactivation. */
const NOT_SUSPENDED = "COALESCE(t.status, 'active') = 'active'";

/** Time at which deliveries become due. Attempts wait for the end of their endpoint's pause. */
const DELIVERIES = {
  at: 'CASE WHEN w.paused_until > d.scheduled_at THEN w.paused_until ELSE d.scheduled_at END',
  from: `webhook_deliveries d LEFT JOIN tenants t ON t.id = d.tenant_id
    LEFT JOIN webhook_endpoints w ON w.tenant_id = d.tenant_id AND w.id = d.endpoint_id
    WHERE d.queue_shard IS NOT NULL AND (${NOT_SUSPENDED} OR d.event_type LIKE 'tenant.%')`,
};
const MAILS = {
  at: 'm.due_at',
  from: `mails m LEFT JOIN tenants t ON t.id = m.tenant_id
    WHERE m.status = 'queued' AND ${IS_SENDABLE}`,
};
const REPLAYS = {
  at: 'r.due_at',
  from: `webhook_replays r LEFT JOIN tenants t ON t.id = r.tenant_id
    WHERE r.due_at IS NOT NULL AND ${NOT_SUSPENDED}`,
};

/** Counts the waiting work: all of it, or that due by a given time. */
export async function countPending(db: Database, by = Number.MAX_SAFE_INTEGER): Promise<PendingWork> {
  const count = ({ at, from }: typeof MAILS) =>
    readNumber(db, `SELECT COUNT(*) AS found FROM ${from} AND ${at} <= :by`, { by });
  return { deliveries: await count(DELIVERIES), mails: await count(MAILS), replays: await count(REPLAYS) };
}

/** Returns the first time after `after`, in ms, at which work becomes due; null if no work waits for a time. */
export async function nextDueAfter(db: Database, after: number): Promise<number | null> {
  let next: number | null = null;
  for (const { at, from } of [DELIVERIES, MAILS, REPLAYS]) {
    const found = await readNumber(db, `SELECT MIN(${at}) AS found FROM ${from} AND ${at} > :after`, { after });
    if (found > 0 && (next === null || found < next)) next = found;
  }
  return next;
}

async function readNumber(db: Database, sql: string, values: SqlValues): Promise<number> {
  return Number((await selectOne<{ found: number | null }>(db, sql, values))?.found ?? 0);
}
