import { hash, id, instant, longText, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An access token, as a hash. */
export const OAUTH_ACCESS_TOKENS = defineTable('oauth_access_tokens', {
  token_hash: primaryKey(hash()),
  grant_id: id(),
  /** JSON array of scopes: those of the grant, or fewer. */
  scopes: longText(),
  expires_at: instant(),
});
export type OAuthAccessTokenRow = RowOf<typeof OAUTH_ACCESS_TOKENS>;
