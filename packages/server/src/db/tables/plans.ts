import type { PlanInterval } from '@plat/contract';
import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A plan of the platform. */
export interface PlanRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly currency: string;
  readonly amount: number;
  /** `interval` is a reserved word. */
  readonly billing_interval: PlanInterval;
  /** JSON array of capability ids. */
  readonly capabilities: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function definePlan(sequelize: Sequelize): TableModel<PlanRow> {
  return defineTable<PlanRow>(sequelize, 'plans', {
    id: { type: DataTypes.STRING, primaryKey: true },
    slug: DataTypes.STRING,
    name: DataTypes.STRING,
    currency: DataTypes.STRING,
    amount: DataTypes.BIGINT,
    billing_interval: DataTypes.STRING,
    capabilities: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
