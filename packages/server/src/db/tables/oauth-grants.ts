import { DataTypes, type Sequelize } from 'sequelize';
import type { UniqueIndex } from '../errors.ts';
import { defineTable, type TableModel } from './table.ts';

/** Why a grant ended before its time. */
export type RevokedReason =
  | 'tenant'
  | 'app'
  | 'code_reused'
  | 'refresh_token_reused'
  /** A later grant of the same app and tenant took its place. */
  | 'replaced'
  | 'app_disabled'
  | 'app_deleted';

/** Of the authorization code: a consent form that is sent twice gives one grant. */
export const GRANT_CODE: UniqueIndex = { name: 'oauth_grants_code', columns: ['code_hash'] };

/**
 * A consent of a tenant to an app, with its authorization code and the family of all its tokens. Its state is this one row:
 * a code or a token counts only while the row says so.
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
  /**
   * 0 until a token of the family is used on the API or refreshed. With that the grant replaces the former ones of its app
   * and tenant.
   */
  readonly begun: 0 | 1;
  /** The authorization code, which is used once `generation` is above 0. Null in grants of before it was kept here. */
  readonly code_hash: Buffer | null;
  readonly code_challenge: string | null;
  /** As it was given at the authorize endpoint, byte for byte. */
  readonly redirect_uri: string | null;
  /** The refresh token of `generation`. Null until the code is exchanged, or while that token has a row of its own. */
  readonly refresh_hash: Buffer | null;
  /** The refresh token before it, whose reuse is detected whatever master keys a server has. */
  readonly previous_refresh_hash: Buffer | null;
  /** The newest access token, and the one before it, which works beside it; older ones are removed. */
  readonly access_hash: Buffer | null;
  readonly previous_access_hash: Buffer | null;
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
    begun: DataTypes.INTEGER,
    code_hash: DataTypes.BLOB,
    code_challenge: DataTypes.STRING,
    redirect_uri: DataTypes.STRING,
    refresh_hash: DataTypes.BLOB,
    previous_refresh_hash: DataTypes.BLOB,
    access_hash: DataTypes.BLOB,
    previous_access_hash: DataTypes.BLOB,
    refreshed_at: DataTypes.BIGINT,
    expires_at: DataTypes.BIGINT,
    created_at: DataTypes.BIGINT,
    updated_at: DataTypes.BIGINT,
  });
}
