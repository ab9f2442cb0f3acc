import type { WebhookReplaySelect, WebhookReplayStatus } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A job that sends many events again. */
export interface WebhookReplayRow {
  readonly tenant_id: string;
  readonly id: string;
  /** null: every endpoint that was enabled at its creation. */
  readonly endpoint_id: string | null;
  readonly selection: WebhookReplaySelect;
  readonly since_at: number;
  readonly until_at: number;
  /** JSON array of event types; null: all. */
  readonly event_types: string | null;
  readonly status: WebhookReplayStatus;
  readonly examined_count: number;
  readonly scheduled_count: number;
  readonly total_count: number | null;
  /** JSON array: for each endpoint that is still in it, how far along the events it is. */
  readonly walks: string;
  /** Grows with each claim: the fence of whoever works on it. */
  readonly turn: number;
  /** When it may be claimed; null once it has ended. */
  readonly due_at: number | null;
  readonly completed_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineWebhookReplay(sequelize: Sequelize): TableModel<WebhookReplayRow> {
  return defineTable<WebhookReplayRow>(sequelize, 'webhook_replays', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    endpoint_id: DataTypes.STRING,
    selection: DataTypes.STRING,
    since_at: DataTypes.BIGINT,
    until_at: DataTypes.BIGINT,
    event_types: DataTypes.TEXT,
    status: DataTypes.STRING,
    examined_count: DataTypes.BIGINT,
    scheduled_count: DataTypes.BIGINT,
    total_count: DataTypes.BIGINT,
    walks: DataTypes.TEXT,
    turn: DataTypes.BIGINT,
    due_at: DataTypes.BIGINT,
    completed_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
