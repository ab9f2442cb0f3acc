import { ascii, id, instant, integer, longBytes, nullable, primaryKey, text } from './columns.ts';
import { defineTable, type RowOf } from './table.ts';

/** A queued mail, or the record of one that was sent or given up. */
export const MAILS = defineTable('mails', {
  id: primaryKey(id()),
  /** null for mails about no tenant. */
  tenant_id: nullable(id()),
  /** The occasion, for example `user_invitation`. */
  kind: ascii(64),
  recipient: text(254),
  subject: text(255),
  /** The text, sealed: it may contain a one-time link. null once it is sent or given up. */
  body: nullable(longBytes()),
  status: ascii<'queued' | 'sent' | 'failed'>(16),
  /** Fencing token: grows with each claim, and an outcome is written for the latest claim only. */
  attempts: integer(),
  /** Earliest time of the next claim, by the clock of the database; while claimed, the end of the lease. */
  due_at: instant(),
  /** Time after which it is not sent any more. */
  expires_at: nullable(instant()),
  error: nullable(text(500)),
  sent_at: nullable(instant()),
  created_at: instant(),
  updated_at: instant(),
});
export type MailRow = RowOf<typeof MAILS>;
