import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** An API key, as a hash. A vendor key has no tenant; a tenant has one key at most. */
export interface ApiKeyRow {
  readonly id: string;
  readonly tenant_id: string | null;
  /** SHA-256 of the key. */
  readonly key_hash: Buffer;
  /** The prefix and the last four characters, to tell keys apart. */
  readonly hint: string;
  /** JSON array of scopes. */
  readonly scopes: string;
  /** Who minted it: a user or developer id. */
  readonly created_by: string | null;
  readonly created_at: number;
}

export function defineApiKey(sequelize: Sequelize): TableModel<ApiKeyRow> {
  return defineTable<ApiKeyRow>(sequelize, 'api_keys', {
    id: { type: DataTypes.STRING, primaryKey: true },
    tenant_id: DataTypes.STRING,
    key_hash: DataTypes.BLOB,
    hint: DataTypes.STRING,
    scopes: DataTypes.TEXT,
    created_by: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
  });
}
