import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A customer of the platform: what every other row belongs to. */
export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'suspended';
  readonly plan_id: string | null;
  readonly sandbox: 0 | 1;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineTenant(sequelize: Sequelize): TableModel<TenantRow> {
  return defineTable<TenantRow>(sequelize, 'tenants', {
    id: { type: DataTypes.STRING, primaryKey: true },
    name: DataTypes.STRING,
    status: DataTypes.STRING,
    plan_id: DataTypes.STRING,
    sandbox: DataTypes.INTEGER,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
