import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

export const ROLE_NAME: UniqueIndex = { name: 'roles_name', columns: ['tenant_id', 'name'] };

/** A role of a tenant; the built-in ones are made with it. */
export interface RoleRow {
  readonly tenant_id: string;
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly description: string | null;
  readonly built_in: 0 | 1;
  /** JSON array of capability ids. */
  readonly capabilities: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineRole(sequelize: Sequelize): TableModel<RoleRow> {
  return defineTable<RoleRow>(sequelize, 'roles', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    id: { type: DataTypes.STRING, primaryKey: true },
    name: DataTypes.STRING,
    title: DataTypes.STRING,
    description: DataTypes.STRING,
    built_in: DataTypes.INTEGER,
    capabilities: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
