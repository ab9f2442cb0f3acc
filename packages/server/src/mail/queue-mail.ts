import { printableText } from '@plat/contract';
import type { Transaction } from 'sequelize';
import type { MailLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { noLaterThanNow } from '../db/database-clock.ts';
import { execute } from '../db/sql.ts';
import { newId } from '../kernel/ids.ts';
import { sendableAddress } from '../kernel/mail-address.ts';
import type { Sealer } from '../kernel/seal.ts';
import { countMail } from './count-mail.ts';
import { assertSendable, type Message, oneLine } from './message.ts';

interface NewMail extends Message {
  readonly sealer: Sealer;
  readonly limits: MailLimits;
  /** The tenant it is about; null for sign-in links. */
  readonly tenantId: string | null;
  /** IPv4 address or IPv6 /64 of the caller; null for mails that the service sends by itself. */
  readonly network: string | null;
  /** The instant of the change, in ms. */
  readonly now: number;
}

/**
 * Writes a mail that is due, in the transaction of the change it tells of: a rollback sends none, and after the commit
 * a crash loses none. Due by the clock of the database, were that of this machine ahead. Resolves to its id. Every mail
 * passes here, so that the limits hold for all kinds.
 * @throws Error when the address or the subject could break out of its header
 * @throws {@link ApiError} MAIL_LIMIT_REACHED
 */
export async function queueMail(db: Database, transaction: Transaction, given: NewMail): Promise<string> {
  const mail = {
    ...given,
    to: sendableAddress(given.to),
    // Names from before the check of characters may hold some that change how the words around them are shown.
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
  return id;
}

/** The text of a mail is bound to its row. */
function sealText(sealer: Sealer, id: string, text: string): Buffer {
  return sealer.seal(text, mailTextPurpose(id));
}

/** @throws Error when it was sealed under a master key that is not configured */
export function openText(sealer: Sealer, id: string, body: Buffer): string {
  return sealer.open(Buffer.from(body), mailTextPurpose(id));
}

export function mailTextPurpose(id: string): string {
  return `text of mail ${id}`;
}
