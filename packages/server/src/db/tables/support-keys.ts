import { ascii, hash, id, instant, longText, nullable, primaryKey, text } from './columns.ts';
import { defineTable } from './table.ts';

/** A read-only key of the operator for the data of a tenant, which expires. */
export const SUPPORT_KEYS = defineTable(
  'support_keys',
  {
    id: primaryKey(id()),
    tenant_id: id(),
    /** SHA-256 of the key. */
    key_hash: hash(),
    hint: ascii(32),
    /** JSON array of scopes. */
    scopes: longText(),
    /** Id of the tenant's first owner, in whose name it reads. */
    created_by: id(),
    reason: text(500),
    created_at: instant(),
    expires_at: instant(),
    last_used_at: nullable(instant()),
  },
  [{ name: 'support_keys_hash', columns: ['key_hash'] }],
);
