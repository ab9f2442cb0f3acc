import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/**
 * A refresh token that was issued before tokens named their grant, as a hash. It works while its generation is the grant's;
 * those before are kept so that their reuse is detected. No row is added any more.
 */
export interface OAuthRefreshTokenRow {
  readonly token_hash: Buffer;
  readonly grant_id: string;
  readonly generation: number;
  readonly expires_at: number;
}

export function defineOAuthRefreshToken(sequelize: Sequelize): TableModel<OAuthRefreshTokenRow> {
  return defineTable<OAuthRefreshTokenRow>(sequelize, 'oauth_refresh_tokens', {
    token_hash: { type: DataTypes.BLOB, primaryKey: true },
    grant_id: DataTypes.STRING,
    generation: DataTypes.INTEGER,
    expires_at: DataTypes.BIGINT,
  });
}
