import type { WebhookEndpointStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const ENDPOINT_URL: UniqueIndex = { name: 'webhook_endpoints_url', columns: ['tenant_id', 'url_hash'] };

/** Where a tenant wants its events. Secrets are sealed. */
export interface WebhookEndpointRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly url: string;
  /** SHA-256 of the URL: what is unique in the tenant, whatever the collation. */
  readonly url_hash: Buffer;
  readonly description: string | null;
  /** JSON array of event types or ["*"]. */
  readonly events: string;
  readonly status: WebhookEndpointStatus;
  readonly disabled_reason: string | null;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_secret_expires_at: number | null;
  /** Attempts that failed since the last that succeeded. */
  readonly consecutive_failures: number;
  /** The instant of the first of them. */
  readonly failing_since: number | null;
  /** How many times in a row it was paused; each pause is longer than the one before. */
  readonly pauses: number;
  /** Until then nothing is sent, and then one delivery at a time; null: it is not paused. */
  readonly paused_until: number | null;
  /** When the owners were told that it fails. */
  readonly warned_at: number | null;
  /** Since when events were not sent because it was disabled; null when none are missed. */
  readonly missed_since: number | null;
  /** When it was enabled again; null while it is disabled. */
  readonly missed_until: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineWebhookEndpoint(sequelize: Sequelize): TableModel<WebhookEndpointRow> {
  return defineTable<WebhookEndpointRow>(sequelize, 'webhook_endpoints', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    url: DataTypes.STRING,
    url_hash: DataTypes.BLOB,
    description: DataTypes.STRING,
    events: DataTypes.TEXT,
    status: DataTypes.STRING,
    disabled_reason: DataTypes.STRING,
    secret: DataTypes.BLOB,
    previous_secret: DataTypes.BLOB,
    previous_secret_expires_at: DataTypes.BIGINT,
    consecutive_failures: DataTypes.INTEGER,
    failing_since: DataTypes.BIGINT,
    pauses: DataTypes.INTEGER,
    paused_until: DataTypes.BIGINT,
    warned_at: DataTypes.BIGINT,
    missed_since: DataTypes.BIGINT,
    missed_until: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
