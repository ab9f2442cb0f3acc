import { ascii, hash, id, instant, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A token of the developer API, as a hash. */
export const DEVELOPER_TOKENS = defineTable(
  'developer_tokens',
  {
    id: primaryKey(id()),
    developer_id: id(),
    /** SHA-256 of the token. */
    token_hash: hash(),
    client_name: text(200),
    ip: nullable(ascii(64)),
    created_at: instant(),
    /** Accurate to the hour: a use within the hour after the stored one is not written. */
    last_used_at: instant(),
    expires_at: instant(),
  },
  [{ name: 'developer_tokens_hash', columns: ['token_hash'] }],
  {
    developer_tokens_developer: ['developer_id'],
  },
);
export type DeveloperTokenRow = RowOf<typeof DEVELOPER_TOKENS>;
