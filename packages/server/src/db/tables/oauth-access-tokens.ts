import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** An access token, as a hash. */
export interface OAuthAccessTokenRow {
  readonly token_hash: Buffer;
  readonly grant_id: string;
  /** JSON array of scopes: those of the grant, or fewer. */
  readonly scopes: string;
  readonly expires_at: number;
}

export function defineOAuthAccessToken(sequelize: Sequelize): TableModel<OAuthAccessTokenRow> {
  return defineTable<OAuthAccessTokenRow>(sequelize, 'oauth_access_tokens', {
    token_hash: { type: DataTypes.BLOB, primaryKey: true },
    grant_id: DataTypes.STRING,
    scopes: DataTypes.TEXT,
    expires_at: DataTypes.BIGINT,
  });
}
