import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** A token of the developer API, as a hash. */
export interface DeveloperTokenRow {
  readonly id: string;
  readonly developer_id: string;
  /** SHA-256 of the token. */
  readonly token_hash: Buffer;
  readonly client_name: string;
  readonly ip: string | null;
  readonly created_at: number;
  /** To the hour: not every use is written down. */
  readonly last_used_at: number;
  readonly expires_at: number;
}

export function defineDeveloperToken(sequelize: Sequelize): TableModel<DeveloperTokenRow> {
  return defineTable<DeveloperTokenRow>(sequelize, 'developer_tokens', {
    id: { type: DataTypes.STRING, primaryKey: true },
    developer_id: DataTypes.STRING,
    token_hash: DataTypes.BLOB,
    client_name: DataTypes.STRING,
    ip: DataTypes.STRING,
    created_at: DataTypes.BIGINT,
    last_used_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
  });
}
