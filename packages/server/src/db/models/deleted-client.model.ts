import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A client after its deletion, as it was. */
export interface DeletedClientRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly slug: string;
  readonly custom_domain: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly deleted_at: number;
}

export function defineDeletedClient(sequelize: Sequelize): TableModel<DeletedClientRow> {
  return defineTable<DeletedClientRow>(sequelize, 'deleted_clients', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    name: DataTypes.STRING,
    status: DataTypes.STRING,
    slug: DataTypes.STRING,
    custom_domain: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
    deleted_at: DataTypes.BIGINT,
  });
}
