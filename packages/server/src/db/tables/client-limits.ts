import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** The capabilities that a client is limited to. A client without a row has all that its tenant has. */
export interface ClientLimitRow {
  readonly tenant_id: string;
  readonly client_id: string;
  /** JSON array of capability ids. */
  readonly capabilities: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineClientLimit(sequelize: Sequelize): TableModel<ClientLimitRow> {
  return defineTable<ClientLimitRow>(sequelize, 'client_limits', {
    tenant_id: { type: DataTypes.STRING, primaryKey: true },
    client_id: { type: DataTypes.STRING, primaryKey: true },
    capabilities: DataTypes.TEXT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
