import { LIMITS } from '@plat/contract';
import type { AgingTable } from '../db/rows-by-age.ts';
import { type Queryable, usingIndex } from '../db/sql.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { lowestIdAt } from '../kernel/ids.ts';

/** Rows of a table: a range of an index in the order of age. */
export interface Range<Value extends string | number = string | number> {
  readonly table: string;
  readonly column: 'id' | 'expires_at';
  /** Exclusive lower bound, below every value. */
  readonly from: Value;
  /** Exclusive upper bound: the first value that stays. */
  readonly below: Value;
  /** SQL condition of the rows to delete; all rows of the range when absent. */
  readonly only?: (db: Queryable) => string;
}

/** The rows of a table to delete. Tables `byTenant` have a primary key that starts with `tenant_id`. */
export type Purge =
  | (Range<string> & { readonly table: AgingTable; readonly byTenant: true })
  | (Range & { readonly byTenant: false });

/** Retention of rows without an expiry, in days. */
export interface Retention {
  /** 0: audit events are kept indefinitely. */
  readonly auditRetentionDays: number;
  readonly requestRetentionDays: number;
}

/** Returns the rows to delete at `now`, one entry for each table. Deliveries are deleted before their events. */
export function purgesAt(now: number, { auditRetentionDays, requestRetentionDays }: Retention): readonly Purge[] {
  const eventsBefore = now - LIMITS.webhook.eventRetentionSeconds * 1000;
  const audit = idsBefore('audit_event', now - auditRetentionDays * DAY_MS);
  return [
    {
      table: 'webhook_deliveries',
      byTenant: true,
      ...idsBefore('webhook_delivery', eventsBefore),
      only: () => 'queue_shard IS NULL',
    },
    {
      table: 'events',
      byTenant: true,
      ...idsBefore('event', eventsBefore),
      // Pending deliveries, after a replay or of a suspended tenant, need the payload.
      // MariaDB would read all deliveries of the tenant for each event.
      only: (db) => `NOT EXISTS (
        SELECT 1 FROM webhook_deliveries d ${usingIndex(db, 'webhook_deliveries_event')}
        WHERE d.tenant_id = events.tenant_id AND d.event_id = events.id AND d.queue_shard IS NOT NULL
      )`,
    },
    // A replay that has not ended is kept at any age.
    {
      table: 'webhook_replays',
      byTenant: true,
      ...idsBefore('webhook_replay', eventsBefore),
      only: () => 'due_at IS NULL',
    },
    ...(auditRetentionDays > 0 ? [{ table: 'audit_events', byTenant: true, ...audit } as const] : []),
    { table: 'requests', byTenant: true, ...idsBefore('request', now - requestRetentionDays * DAY_MS) },
    expired('request_bodies', now),
    expired('idempotency_keys', now),
    // For a day, a request with an expired code gets its result.
    expired('device_logins', now - DAY_MS),
    expired('developer_tokens', now),
    expired('sessions', now),
    expired('sign_in_links', now),
    expired('previous_api_keys', now),
    expired('support_keys', now),
    expired('mail_counts', now),
    expired('oauth_access_tokens', now),
    // Empty 90 days after the upgrade to 0022: see `find-refresh-token.ts`.
    expired('oauth_refresh_tokens', now),
    // Ended grants are kept for a while, so that their state can be read.
    expired('oauth_grants', eventsBefore),
    { table: 'mails', byTenant: false, ...idsBefore('mail', eventsBefore), only: () => "status <> 'queued'" },
  ];
}

/** Range of ids by time: an id starts with its time. */
function idsBefore(kind: Parameters<typeof lowestIdAt>[0], ms: number) {
  return { column: 'id' as const, from: lowestIdAt(kind, 0), below: lowestIdAt(kind, ms) };
}

/** Range of rows that expired before an instant. */
function expired(table: string, below: number): Purge {
  return { table, byTenant: false, column: 'expires_at', from: 0, below };
}
