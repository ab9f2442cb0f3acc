import { ascii, hash, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An API key, as a hash. A vendor key has no tenant; a tenant has one key at most. */
export const API_KEYS = defineTable(
  'api_keys',
  {
    id: primaryKey(id()),
    tenant_id: nullable(id()),
    /** SHA-256 of the key. */
    key_hash: hash(),
    /** The prefix and the last four characters, to distinguish keys. */
    hint: ascii(32),
    /** JSON array of scopes. */
    scopes: longText(),
    /** Id of the user or developer who created it. */
    created_by: nullable(id()),
    created_at: instant(),
    /** Null if it was not used. */
    last_used_at: nullable(instant()),
  },
  [
    { name: 'api_keys_hash', columns: ['key_hash'] },
    { name: 'api_keys_tenant', columns: ['tenant_id'] },
  ],
);
export type ApiKeyRow = RowOf<typeof API_KEYS>;
