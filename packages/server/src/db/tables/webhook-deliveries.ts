import type { EventType, WebhookDeliveryErrorClass, WebhookDeliveryStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** One attempt to deliver an event to an endpoint. While it is pending it stands in the queue by its shard. */
export interface WebhookDeliveryRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly event_id: string;
  readonly event_type: EventType;
  readonly endpoint_id: string;
  readonly attempt: number;
  readonly status: WebhookDeliveryStatus;
  /** 0 to 63 while pending, else null. */
  readonly queue_shard: number | null;
  readonly scheduled_at: number;
  readonly attempted_at: number | null;
  readonly response_status: number | null;
  readonly response_body: string | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly error_class: WebhookDeliveryErrorClass | null;
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  readonly first_byte_ms: number | null;
  readonly remote_address: string | null;
  /** A JSON array of `{name, value}`. */
  readonly response_headers: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineWebhookDelivery(sequelize: Sequelize): TableModel<WebhookDeliveryRow> {
  return defineTable<WebhookDeliveryRow>(sequelize, 'webhook_deliveries', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    event_id: DataTypes.STRING,
    event_type: DataTypes.STRING,
    endpoint_id: DataTypes.STRING,
    attempt: DataTypes.INTEGER,
    status: DataTypes.STRING,
    queue_shard: DataTypes.INTEGER,
    scheduled_at: DataTypes.BIGINT,
    attempted_at: DataTypes.BIGINT,
    response_status: DataTypes.INTEGER,
    response_body: DataTypes.TEXT,
    error: DataTypes.STRING,
    duration_ms: DataTypes.INTEGER,
    error_class: DataTypes.STRING,
    dns_ms: DataTypes.INTEGER,
    connect_ms: DataTypes.INTEGER,
    tls_ms: DataTypes.INTEGER,
    first_byte_ms: DataTypes.INTEGER,
    remote_address: DataTypes.STRING,
    response_headers: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
