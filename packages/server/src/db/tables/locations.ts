import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A place of a client or of a group. */
export interface LocationRow {
  readonly tenant_id: string;
  readonly id: string;
  /** The client or the group. */
  readonly owner_id: string;
  /** `owner_id` in the default location and null in the others: a unique index then lets no owner have two. */
  readonly default_of: string | null;
  readonly name: string;
  readonly address: string | null;
  readonly timezone: string;
  readonly country: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineLocation(sequelize: Sequelize): TableModel<LocationRow> {
  return defineTable<LocationRow>(sequelize, 'locations', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    owner_id: DataTypes.STRING,
    default_of: DataTypes.STRING,
    name: DataTypes.STRING,
    address: DataTypes.STRING,
    timezone: DataTypes.STRING,
    country: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
