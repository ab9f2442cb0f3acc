import { printableText } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { noLaterThanNow } from '../db/database-clock.ts';
import { execute } from '../db/sql.ts';
import { wakeAfterCommit } from '../db/wake-ups.ts';
import { newId } from '../kernel/ids.ts';
import { sendableAddress } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import { countMail } from './count-mail.ts';
import { assertSendable, type Message, oneLine } from './message.ts';

interface NewMail extends Message {
  readonly sealer: Sealer;
  readonly limits: MailLimits;
  /** Tenant of the mail; null for sign-in links. */
  readonly tenantId: string | null;
  /** IPv4 address or IPv6 /64 of the caller; null for mails that the service sends by itself. */
  readonly network: string | null;
  /** Time of the change, in ms. */
  readonly now: number;
}

/**
 * Queues a due mail in the transaction of its change: a rollback sends no mail, and a crash after the commit loses
 * none. It is due by the clock of the database, because this machine's may be ahead. Resolves to the id. Every mail is
 * queued here, so that the limits hold for all kinds.
 * @throws Error if the address or the subject could break out of its header
 * @throws {@link ApiError} MAIL_LIMIT_REACHED
 */
export async function queueMail(db: Database, transaction: Transaction, given: NewMail): Promise<string> {
  const mail = {
    ...given,
    to: sendableAddress(given.to),
    // Names that were stored before the check of characters may contain some that change the display of the words
    // around them.
    subject: oneLine(printableText(given.subject)),
    text: printableText(given.text),
  };
  assertSendable(mail);
  await countMail(db, transaction, mail.limits, mail);
  const id = newId('mail', mail.now);
  await execute(
    db,
    `INSERT INTO mails
       (id, tenant_id, kind, recipient, subject, body, status, attempts, due_at, expires_at, created_at, updated_at)
     VALUES (:id, :tenantId, :kind, :to, :subject, :body, 'queued', 0,
       ${noLaterThanNow(db, ':now')}, :expiresAt, :now, :now)`,
    {
      id,
      tenantId: mail.tenantId,
      kind: mail.kind,
      to: mail.to,
      subject: mail.subject,
      body: sealText(mail.sealer, id, mail.text),
      expiresAt: mail.expiresAt ?? null,
      now: mail.now,
    },
    transaction,
  );
  wakeAfterCommit(db, transaction, 'mails');
  return id;
}

/** Seals the text for its row. */
function sealText(sealer: Sealer, id: string, text: string): Buffer {
  return sealer.seal(text, mailTextPurpose(id));
}

/** @throws Error if the text was sealed with a master key that is not configured */
export function openText(sealer: Sealer, id: string, body: Buffer): string {
  return sealer.open(Buffer.from(body), mailTextPurpose(id));
}

export function mailTextPurpose(id: string): string {
  return `text of mail ${id}`;
}
