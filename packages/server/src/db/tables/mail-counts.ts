import { hash, instant, integer, primaryKey } from './columns.ts';
import { defineTable } from './table.ts';

/** The number of mails of one recipient, tenant or network in a window. */
export const MAIL_COUNTS = defineTable('mail_counts', {
  /** SHA-256 of the kind of sender and the recipient, tenant or network. */
  count_key: primaryKey(hash()),
  mails_counted: integer(),
  expires_at: instant(),
});
