import { ascii, id, instant, integer, longBytes, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A mail that waits to be sent, or the record that it was. */
export const MAILS = defineTable('mails', {
  id: primaryKey(id()),
  /** null: about no tenant. */
  tenant_id: nullable(id()),
  /** What it is about, for example `user_invitation`. */
  kind: ascii(64),
  recipient: text(254),
  subject: text(255),
  /** The text, sealed: it may hold a one-time link. null once it is sent or given up. */
  body: nullable(longBytes()),
  status: ascii<'queued' | 'sent' | 'failed'>(16),
  /** Grows with every claim: the fence of what a claim's outcome may change. */
  attempts: integer(),
  /** From when on it may be claimed, by the clock of the database: while it is claimed, the end of the lease. */
  due_at: instant(),
  /** From then on it is of no use to its reader. */
  expires_at: nullable(instant()),
  error: nullable(text(500)),
  sent_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type MailRow = RowOf<typeof MAILS>;
