import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { MailLimit, MailLimits, SenderLimits } from '../config/mail-limits.ts';
import type { Database } from '../db/database.ts';
import { execute, selectOne } from '../db/sql.ts';
import { ApiError } from '../kernel/api-error.ts';
import { emailHash } from '../kernel/mail-address.ts';

export interface CountedMail {
  readonly to: string;
  readonly tenantId: string | null;
  /** IPv4 address or IPv6 /64 of the caller; null for mails that the service sends by itself. */
  readonly network: string | null;
  /** Current time, in ms. */
  readonly now: number;
}

type Counted = keyof SenderLimits;

/**
 * Counts a mail in the transaction that queues it, so that a rollback counts nothing. The rows stay locked until the
 * commit, so that the limits hold across processes.
 * @throws {@link ApiError} MAIL_LIMIT_REACHED with `Retry-After`
 */
export async function countMail(
  db: Database,
  transaction: Transaction,
  limits: MailLimits,
  mail: CountedMail,
): Promise<void> {
  const counters = await countersOf(db, transaction, limits, mail);
  // The same order in every transaction avoids most deadlocks.
  for (const counter of counters.toSorted((a, b) => a.key.compare(b.key))) {
    await increment(db, transaction, counter, mail.now);
  }
  for (const { counted, key, limit } of counters) {
    const row = await selectOne<{ mails_counted: number; expires_at: number }>(
      db,
      'SELECT mails_counted, expires_at FROM mail_counts WHERE count_key = :key',
      { key },
      transaction,
    );
    if (row && row.mails_counted > limit.max) throw limitReached(counted, row.expires_at - mail.now);
  }
}

/** Takes back the count of a refused mail, in a transaction that continues without it. */
export async function uncountMail(
  db: Database,
  transaction: Transaction,
  limits: MailLimits,
  mail: CountedMail,
): Promise<void> {
  const sql = 'UPDATE mail_counts SET mails_counted = mails_counted - 1 WHERE count_key = :key';
  for (const { key } of await countersOf(db, transaction, limits, mail)) await execute(db, sql, { key }, transaction);
}

export function isMailLimitReached(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'MAIL_LIMIT_REACHED';
}

async function senderOf(db: Database, transaction: Transaction, tenantId: string | null): Promise<keyof MailLimits> {
  if (tenantId === null) return 'signIn';
  const sql = 'SELECT sandbox FROM tenants WHERE id = :tenantId';
  const tenant = await selectOne<{ sandbox: 0 | 1 }>(db, sql, { tenantId }, transaction);
  return tenant?.sandbox === 0 ? 'production' : 'sandbox';
}

interface Counter {
  readonly counted: Counted;
  readonly key: Buffer;
  readonly limit: MailLimit;
}

async function countersOf(
  db: Database,
  transaction: Transaction,
  mailLimits: MailLimits,
  { to, tenantId, network }: CountedMail,
): Promise<Counter[]> {
  const sender = await senderOf(db, transaction, tenantId);
  const limits = mailLimits[sender];
  const counters: Counter[] = [];
  const add = (counted: Counted, value: string, limit: MailLimit): void => {
    const key = createHash('sha256').update(`${sender} ${counted} ${value}`).digest();
    counters.push({ counted, key, limit });
  };
  add('recipient', emailHash(to).toString('hex'), limits.recipient);
  if (limits.tenant && tenantId !== null) add('tenant', tenantId, limits.tenant);
  if (network !== null) add('network', network, limits.network);
  return counters;
}

/**
 * Increments a counter. One statement serves existing and new rows: the sign-in page runs the same statements for every
 * address.
 */
async function increment(db: Database, transaction: Transaction, { key, limit }: Counter, now: number): Promise<void> {
  const windowMs = limit.seconds * 1000;
  const onConflict = db.kind === 'sqlite' ? 'ON CONFLICT (count_key) DO UPDATE SET' : 'ON DUPLICATE KEY UPDATE';
  // A window that ends later than two windows from now began before the clock was moved back.
  const isOpen = 'expires_at > :now AND expires_at <= :latest';
  // MySQL assigns from left to right: the count comes first, while `expires_at` has its old value.
  await execute(
    db,
    `INSERT INTO mail_counts (count_key, mails_counted, expires_at) VALUES (:key, 1, :expiresAt)
     ${onConflict}
       mails_counted = CASE WHEN ${isOpen} THEN mails_counted + 1 ELSE 1 END,
       expires_at = CASE WHEN ${isOpen} THEN expires_at ELSE :expiresAt END`,
    { key, now, expiresAt: now + windowMs, latest: now + 2 * windowMs },
    transaction,
  );
}

const COUNTED_BY: Readonly<Record<Counted, string>> = {
  recipient: 'to this address',
  tenant: 'about this tenant',
  network: 'for callers of your network',
};

function limitReached(counted: Counted, remainingMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  return new ApiError(
    'MAIL_LIMIT_REACHED',
    `Too many mails ${COUNTED_BY[counted]}. Nothing was changed; try again in ${Math.ceil(seconds / 60)} min`,
    { headers: { 'Retry-After': String(seconds) } },
  );
}
