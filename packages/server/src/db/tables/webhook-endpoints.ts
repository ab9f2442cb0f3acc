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

/** A receiver of a tenant's events. Secrets are sealed. */
export const WEBHOOK_ENDPOINTS = defineTable(
  'webhook_endpoints',
  {
    tenant_id: primaryKey(id()),
    id: primaryKey(id()),
    url: text(2048),
    /** SHA-256 of the URL: unique in the tenant, independent of the collation. */
    url_hash: hash(),
    description: nullable(text(500)),
    /** JSON array of event types or ["*"]. */
    events: longText(),
    status: ascii<WebhookEndpointStatus>(16),
    disabled_reason: nullable(text(500)),
    secret: bytes(),
    previous_secret: nullable(bytes()),
    previous_secret_expires_at: nullable(instant()),
    /** Failed attempts since the last success. */
    consecutive_failures: withDefault(integer(), 0),
    /** Time of the first of these failures. */
    failing_since: nullable(instant()),
    /** Number of consecutive times that the circuit opened. Each pause is longer than the one before. */
    pauses: withDefault(integer(), 0),
    /** The circuit is open before this time and half-open after it; null while closed. */
    paused_until: nullable(instant()),
    /** Time at which the owners were notified of the failures. */
    warned_at: nullable(instant()),
    /** Start of the events that were not sent because it was disabled; null when none were missed. */
    missed_since: nullable(instant()),
    /** Time at which it was enabled again; null while disabled. */
    missed_until: nullable(instant()),
    created_at: instant(),
    updated_at: instant(),
  },
  [ENDPOINT_URL],
);
export type WebhookEndpointRow = RowOf<typeof WEBHOOK_ENDPOINTS>;

/** The columns for the period in which an endpoint missed events. */
export type Missed = Pick<WebhookEndpointRow, 'missed_since' | 'missed_until'>;
