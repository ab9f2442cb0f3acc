import type { EventType } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** An event with its payload as committed. The id carries the same instant as `created`, so id order is event order. */
export interface EventRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly type: EventType;
  readonly created: number;
  /** The whole event object as JSON: the body of every delivery of it. */
  readonly payload: string;
}

export function defineEvent(sequelize: Sequelize): TableModel<EventRow> {
  return defineTable<EventRow>(sequelize, 'events', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    type: DataTypes.STRING,
    created: DataTypes.BIGINT,
    payload: DataTypes.TEXT,
  });
}
