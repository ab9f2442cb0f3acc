import { LIMITS } from '@plat/contract';
import { lowestIdAt } from '../kernel/ids.ts';

/** Which rows of a table leave: a range of an index that is in the order of age. */
export interface Purge {
  readonly table: string;
  /** Whether the index begins with `tenant_id`, so that each tenant has a range of its own. */
  readonly byTenant: boolean;
  readonly column: 'id' | 'expires_at';
  /** Below every value there is. */
  readonly from: string | number;
  /** The first value that stays. */
  readonly below: string | number;
  /** SQL: which rows of the range may leave; all when absent. */
  readonly only?: string;
}

/** How long what nothing else ends is kept, in days. */
export interface Retention {
  /** 0: audit events are kept for ever. */
  readonly auditRetentionDays: number;
  readonly requestRetentionDays: number;
}

const DAY_MS = 86_400_000;

/** What leaves at an instant, one entry a table. Of a tenant's rows the deliveries go before their events. */
export function purgesAt(now: number, { auditRetentionDays, requestRetentionDays }: Retention): readonly Purge[] {
  const eventsBefore = now - LIMITS.webhook.eventRetentionSeconds * 1000;
  const audit = idsBefore('audit_event', now - auditRetentionDays * DAY_MS);
  return [
    {
      table: 'webhook_deliveries',
      byTenant: true,
      ...idsBefore('webhook_delivery', eventsBefore),
      only: 'queue_shard IS NULL',
    },
    {
      table: 'events',
      byTenant: true,
      ...idsBefore('event', eventsBefore),
      // What is still to be sent, as after a replay or to a suspended tenant, needs its payload.
      only: `NOT EXISTS (
        SELECT 1 FROM webhook_deliveries d
        WHERE d.tenant_id = events.tenant_id AND d.event_id = events.id AND d.queue_shard IS NOT NULL
      )`,
    },
    // One that has not ended stays, however old.
    { table: 'webhook_replays', byTenant: true, ...idsBefore('webhook_replay', eventsBefore), only: 'due_at IS NULL' },
    ...(auditRetentionDays > 0 ? [{ table: 'audit_events', byTenant: true, ...audit }] : []),
    { table: 'requests', byTenant: true, ...idsBefore('request', now - requestRetentionDays * DAY_MS) },
    expired('idempotency_keys', now),
    // For a day an old code is told what became of it.
    expired('device_logins', now - DAY_MS),
    expired('developer_tokens', now),
    expired('sessions', now),
    expired('sign_in_links', now),
    expired('mail_counts', now),
    expired('oauth_access_tokens', now),
    // Empty 90 days after the upgrade to 0022: see `find-refresh-token.ts`.
    expired('oauth_refresh_tokens', now),
    // Kept for a while for whoever asks what became of one.
    expired('oauth_grants', eventsBefore),
    { table: 'mails', byTenant: false, ...idsBefore('mail', eventsBefore), only: "status <> 'queued'" },
  ];
}

/** Ids begin with their time. */
function idsBefore(kind: Parameters<typeof lowestIdAt>[0], ms: number): Pick<Purge, 'column' | 'from' | 'below'> {
  return { column: 'id', from: lowestIdAt(kind, 0), below: lowestIdAt(kind, ms) };
}

/** What ended before an instant. */
function expired(table: string, below: number): Purge {
  return { table, byTenant: false, column: 'expires_at', from: 0, below };
}
