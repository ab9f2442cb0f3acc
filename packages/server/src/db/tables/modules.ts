import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A module of the platform. */
export interface ModuleRow {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  /** JSON array of capability ids. */
  readonly capabilities: string;
  readonly launch_url: string | null;
  readonly audience: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineModule(sequelize: Sequelize): TableModel<ModuleRow> {
  return defineTable<ModuleRow>(sequelize, 'modules', {
    id: { type: DataTypes.STRING, primaryKey: true },
    slug: DataTypes.STRING,
    name: DataTypes.STRING,
    description: DataTypes.STRING,
    capabilities: DataTypes.TEXT,
    launch_url: DataTypes.STRING,
    audience: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
