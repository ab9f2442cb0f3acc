import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** One event type (or `*`) that an enabled endpoint wants: what an event looks up to find its deliveries. */
export interface WebhookSubscriptionRow {
  readonly tenant_id: string;
  readonly event_type: string;
  readonly endpoint_id: string;
  readonly shard: number;
}

export function defineWebhookSubscription(sequelize: Sequelize): TableModel<WebhookSubscriptionRow> {
  return defineTable<WebhookSubscriptionRow>(sequelize, 'webhook_subscriptions', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    event_type: { type: DataTypes.STRING, primaryKey: true },
    endpoint_id: { type: DataTypes.STRING, primaryKey: true },
    shard: DataTypes.INTEGER,
  });
}
