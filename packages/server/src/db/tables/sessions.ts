import { ascii, hash, id, instant, nullable, primaryKey } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** Somebody who is signed in with one browser. */
export const SESSIONS = defineTable('sessions', {
  /** SHA-256 of the session's id, which only the browser has. */
  session_hash: primaryKey(hash()),
  kind: ascii<'admin' | 'developer'>(16),
  /** A user's id, or a developer's. */
  account_id: id(),
  /** The user's tenant; null for a developer. */
  tenant_id: nullable(id()),
  created_at: instant(),
  /** Moves on while the session is used, up to its longest life. */
  expires_at: instant(),
});
export type SessionRow = RowOf<typeof SESSIONS>;
