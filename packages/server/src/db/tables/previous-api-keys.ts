import { ascii, hash, id, instant, longText, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** An API key that was replaced and stays valid for a chosen time. A tenant has one at most. */
export const PREVIOUS_API_KEYS = defineTable(
  'previous_api_keys',
  {
    id: primaryKey(id()),
    tenant_id: id(),
    /** SHA-256 of the key. */
    key_hash: hash(),
    hint: ascii(32),
    /** JSON array of scopes. */
    scopes: longText(),
    created_by: nullable(id()),
    created_at: instant(),
    expires_at: instant(),
    last_used_at: nullable(instant()),
  },
  [
    { name: 'previous_api_keys_hash', columns: ['key_hash'] },
    { name: 'previous_api_keys_tenant', columns: ['tenant_id'] },
  ],
);
export type PreviousApiKeyRow = RowOf<typeof PREVIOUS_API_KEYS>;
