import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** What a tenant has set; made with it. */
export interface SettingsRow {
  readonly tenant_id: string;
  readonly default_timezone: string;
  readonly default_locale: string;
  readonly support_email: string | null;
  readonly launch_token_ttl_seconds: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineSettings(sequelize: Sequelize): TableModel<SettingsRow> {
  return defineTable<SettingsRow>(sequelize, 'settings', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    default_timezone: DataTypes.STRING,
    default_locale: DataTypes.STRING,
    support_email: DataTypes.STRING,
    launch_token_ttl_seconds: DataTypes.INTEGER,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
