import type { WebhookEndpointStatus } from '@plat/contract';
import type { UniqueIndex } from '../errors.ts';
import {
  ascii,
  bytes,
  hash,
  id,
  instant,
  integer,
  longText,
  nullable,
  primaryKey,
  text,
  withDefault,
} from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

export const ENDPOINT_URL: UniqueIndex = { name: 'webhook_endpoints_url', columns: ['tenant_id', 'url_hash'] };

/** Where a tenant wants its events. Secrets are sealed. */
export const WEBHOOK_ENDPOINTS = defineTable(
  'webhook_endpoints',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    url: text(2048),
    /** SHA-256 of the URL: what is unique in the tenant, whatever the collation. */
    url_hash: hash(),
    description: nullable(text(500)),
    /** JSON array of event types or ["*"]. */
    events: longText(),
    status: ascii<WebhookEndpointStatus>(16),
    disabled_reason: nullable(text(500)),
    secret: bytes(),
    previous_secret: nullable(bytes()),
    previous_secret_expires_at: nullable(instant()),
    /** Attempts that failed since the last that succeeded. */
    consecutive_failures: withDefault(integer(), 0),
    /** The instant of the first of them. */
    failing_since: nullable(instant()),
    /** How many times in a row it was paused; each pause is longer than the one before. */
    pauses: withDefault(integer(), 0),
    /** Until then nothing is sent, and then one delivery at a time; null: it is not paused. */
    paused_until: nullable(instant()),
    /** When the owners were told that it fails. */
    warned_at: nullable(instant()),
    /** Since when events were not sent because it was disabled; null when none are missed. */
    missed_since: nullable(instant()),
    /** When it was enabled again; null while it is disabled. */
    missed_until: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
  },
  [ENDPOINT_URL],
);
export type WebhookEndpointRow = RowOf<typeof WEBHOOK_ENDPOINTS>;
