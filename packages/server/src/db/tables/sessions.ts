import { ascii, hash, id, instant, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** The session of an account in one browser. */
export const SESSIONS = defineTable('sessions', {
  /** SHA-256 of the secret, which only the browser has. */
  session_hash: primaryKey(hash()),
  kind: ascii<'admin' | 'developer'>(16),
  /** Id of the user or the developer. */
  account_id: id(),
  /** The user's tenant; null for a developer. */
  tenant_id: nullable(id()),
  /** Public id, which audit events name. Null for a session from before this column. */
  id: nullable(id()),
  created_at: instant(),
  /** Extended while the session is used, up to its maximum life. */
  expires_at: instant(),
});
export type SessionRow = RowOf<typeof SESSIONS>;
