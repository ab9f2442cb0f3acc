import { hash, id, instant, integer, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/**
 * A refresh token that was issued before tokens named their grant, as a hash. It works while its generation is the
 * grant's. Earlier ones are kept so that their reuse is detected. No rows are added any more.
 */
export const OAUTH_REFRESH_TOKENS = defineTable('oauth_refresh_tokens', {
  token_hash: primaryKey(hash()),
  grant_id: id(),
  generation: integer(),
  expires_at: instant(),
});
