import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** An authorization code, as a hash. Each grant has one; it is used once the grant's generation is above 0. */
export interface OAuthCodeRow {
  readonly code_hash: Buffer;
  readonly grant_id: string;
  /** As it was given at the authorize endpoint, byte for byte. */
  readonly redirect_uri: string;
  readonly code_challenge: string;
  readonly expires_at: number;
}

export function defineOAuthCode(sequelize: Sequelize): TableModel<OAuthCodeRow> {
  return defineTable<OAuthCodeRow>(sequelize, 'oauth_codes', {
    code_hash: { type: DataTypes.BLOB, primaryKey: true },
    grant_id: DataTypes.STRING,
    redirect_uri: DataTypes.STRING,
    code_challenge: DataTypes.STRING,
    expires_at: DataTypes.BIGINT,
  });
}
