import type { UniqueIndex } from '../errors.ts';
import { ascii, hash, id, instant, integer, longText, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

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
export const OAUTH_GRANTS = defineTable(
  'oauth_grants',
  {
    id: primaryKey(id()),
    tenant_id: id(),
    app_id: id(),
    /** The user who gave the consent. */
    granted_by: id(),
    /** JSON array of scopes. */
    scopes: longText(),
    status: ascii<'active' | 'revoked'>(16),
    revoked_reason: nullable(ascii<RevokedReason>(32)),
    /** Of the refresh token that works; 0 until the code is exchanged. Whoever moves it on wins. */
    generation: integer(),
    /**
     * 0 until a token of the family is used on the API or refreshed. With that the grant replaces the former ones of its app
     * and tenant.
     */
    begun: withDefault(integer<0 | 1>(), 1),
    /** The authorization code, which is used once `generation` is above 0. Null in grants of before it was kept here. */
    code_hash: nullable(hash()),
    code_challenge: nullable(ascii(43)),
    /** As it was given at the authorize endpoint, byte for byte. */
    redirect_uri: nullable(text(2048)),
    /** The refresh token of `generation`. Null until the code is exchanged, or while that token has a row of its own. */
    refresh_hash: nullable(hash()),
    /** The refresh token before it, whose reuse is detected whatever master keys a server has. */
    previous_refresh_hash: nullable(hash()),
    /** The newest access token, and the one before it, which works beside it; older ones are removed. */
    access_hash: nullable(hash()),
    previous_access_hash: nullable(hash()),
    /** When it was moved on last: the app got tokens. */
    refreshed_at: nullable(instant()),
    /** When the family ends: with its code until that is exchanged, or a year after the consent, or when it was revoked. */
    expires_at: instant(),
    created_at: instant(),
    updated_at: instant(),
  },
  [GRANT_CODE],
);
export type OAuthGrantRow = RowOf<typeof OAUTH_GRANTS>;
