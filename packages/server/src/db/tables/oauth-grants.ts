import type { RevokedReason } from '@plat/contract';
import type { UniqueIndex } from '../errors.ts';
import { ascii, hash, id, instant, integer, longText, nullable, primaryKey, text, withDefault } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** Unique authorization code: a consent form that is sent twice gives one grant. */
export const GRANT_CODE: UniqueIndex = { name: 'oauth_grants_code', columns: ['code_hash'] };

/**
 * A consent of a tenant to an app, with its authorization code and the family of all its tokens. This row is the only
 * state: a code or a token is valid only while the row says so.
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
    /** Generation of the current refresh token; 0 until the code is exchanged. Compare-and-swap on it decides between two exchanges. */
    generation: integer(),
    /**
     * 0 until a token of the family is used on the API or refreshed. Then the grant replaces the previous ones of its
     * app and tenant.
     */
    begun: withDefault(integer<0 | 1>(), 1),
    /** Hash of the authorization code, which is used once `generation` is above 0. Null in grants from before migration 0022. */
    code_hash: nullable(hash()),
    code_challenge: nullable(ascii(43)),
    /** The redirect URI of the authorization request, byte for byte. */
    redirect_uri: nullable(text(2048)),
    /**
     * Hash of the refresh token of `generation`. Null until the code is exchanged, or while that token has a separate
     * row.
     */
    refresh_hash: nullable(hash()),
    /** Hash of the previous refresh token, so that its reuse is detected with any master keys. */
    previous_refresh_hash: nullable(hash()),
    /** Hashes of the two newest access tokens, which both work; older ones are removed. */
    access_hash: nullable(hash()),
    previous_access_hash: nullable(hash()),
    /** Time of the last exchange or refresh. */
    refreshed_at: nullable(instant()),
    /** JSON: the first and the latest exchanges (`auth/grant-exchanges.ts`); null before the first one. */
    exchanges: nullable(longText()),
    /** End of the grant: that of its code until the exchange, then a year after the consent, or the time it was revoked. */
    expires_at: instant(),
    created_at: instant(),
    updated_at: instant(),
  },
  [GRANT_CODE],
  {
    oauth_grants_app_tenant: ['app_id', 'tenant_id'],
    oauth_grants_app_status: ['app_id', 'status'],
    oauth_grants_app_list: ['app_id'],
  },
);
export type OAuthGrantRow = RowOf<typeof OAUTH_GRANTS>;
