import { DataTypes, type Sequelize } from 'sequelize';
import { defineTable, type TableModel } from './table.ts';

/** Why a grant ended before its time. */
export type RevokedReason = 'tenant' | 'app' | 'code_reused' | 'refresh_token_reused';

/**
 * A consent of a tenant to an app, and the family of all tokens that come of it. Its state is this one row: a code or a
 * token counts only while the row says so.
 */
export interface OAuthGrantRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly app_id: string;
  /** The user who gave the consent. */
  readonly granted_by: string;
  /** JSON array of scopes. */
  readonly scopes: string;
  readonly status: 'active' | 'revoked';
  readonly revoked_reason: RevokedReason | null;
  /** Of the refresh token that works; 0 until the code is exchanged. Whoever moves it on wins. */
  readonly generation: number;
  /** When it was moved on last: the app got tokens. */
  readonly refreshed_at: number | null;
  /** When the family ends: with its code until that is exchanged, or a year after the consent, or when it was revoked. */
  readonly expires_at: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export function defineOAuthGrant(sequelize: Sequelize): TableModel<OAuthGrantRow> {
  return defineTable<OAuthGrantRow>(sequelize, 'oauth_grants', {
    id: { type: DataTypes.STRING, primaryKey: true },
    tenant_id: DataTypes.STRING,
    app_id: DataTypes.STRING,
    granted_by: DataTypes.STRING,
    scopes: DataTypes.TEXT,
    status: DataTypes.STRING,
    revoked_reason: DataTypes.STRING,
    generation: DataTypes.INTEGER,
    refreshed_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
