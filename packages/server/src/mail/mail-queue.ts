import type { Database } from '../db/database.ts';
import { dueNow } from '../db/database-clock.ts';
import { execute, type SqlValues, select } from '../db/sql.ts';
import { qualified } from '../db/statements.ts';
import type { MailRow } from '../db/tables/mails.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';

/** Delay before a mail of a tenant that is suspended or being imported is read again, in ms. */
const POSTPONED_MS = 60_000;

/** SQL: the mail `m` has no tenant, or its tenant `t` is active. A tenant that is being imported has no row yet. */
export const IS_SENDABLE = "(m.tenant_id IS NULL OR COALESCE(t.status, '') = 'active')";

/** A mail that this mailer may send until its lease ends. */
export interface ClaimedMail extends Pick<MailRow, (typeof OF_MAIL)[number]> {
  /** True if the mail is no longer useful to its reader. */
  readonly isExpired: boolean;
}

const OF_MAIL = ['id', 'kind', 'recipient', 'subject', 'body', 'attempts', 'created_at'] as const;

interface DueMail extends Omit<ClaimedMail, 'isExpired'> {
  readonly is_expired: number | null;
  readonly is_sendable: number;
}

/** The table of mails, which the mailers of all processes share. */
export interface MailQueue {
  /** Resolves to true if any mail is due. */
  isAnyDue(): Promise<boolean>;
  /**
   * Claims up to `most` due mails. `seen` is the number of due mails found; other mailers may have claimed some of them
   * first, and those of a tenant that is suspended or being imported are postponed.
   */
  claim(most: number, leaseMs: number): Promise<{ readonly seen: number; readonly claimed: readonly ClaimedMail[] }>;
  /** Marks a mail as sent, even if another mailer holds its lease. `keepText` leaves the text readable. */
  sent(mail: ClaimedMail, keepText: boolean): Promise<void>;
  /** Makes the mail due again after a delay, unless another mailer has claimed it meanwhile. */
  retry(mail: ClaimedMail, delayMs: number, error: string): Promise<void>;
  /** Marks the mail as failed, unless another mailer has claimed it meanwhile. */
  failed(mail: ClaimedMail, error: string): Promise<void>;
}

/**
 * Creates the queue. A lease is the time at which a claimed mail is due again, by the clock of the database or the
 * `clock` of a test. A claim increments the attempt by compare-and-swap: one of several mailers gets the mail. The
 * outcome of a mailer that lost its lease is not stored.
 */
export function createMailQueue(db: Database, clock?: Clock): MailQueue {
  const now = (): string => (clock ? ':now' : dueNow(db));
  const withNow = (values: SqlValues): SqlValues => (clock ? { ...values, now: clock() } : values);
  const settle = async (set: string, where: string, values: SqlValues): Promise<void> => {
    const sql = `UPDATE mails SET ${set}, updated_at = ${now()} WHERE id = :id AND status = 'queued'${where}`;
    await unitOfWork(db, (transaction) => execute(db, sql, withNow(values), transaction));
  };
  const stillOurs = ' AND attempts = :attempts';

  return {
    async isAnyDue() {
      const sql = `SELECT id FROM mails WHERE status = 'queued' AND due_at <= ${now()} LIMIT 1`;
      return (await select(db, sql, withNow({}))).length > 0;
    },
    async claim(most, leaseMs) {
      const due = await select<DueMail>(
        db,
        `SELECT ${qualified('m', OF_MAIL)}, m.expires_at <= ${now()} AS is_expired,
           ${IS_SENDABLE} AS is_sendable
         FROM mails m LEFT JOIN tenants t ON t.id = m.tenant_id
         WHERE m.status = 'queued' AND m.due_at <= ${now()} ORDER BY m.due_at LIMIT ${most}`,
        withNow({}),
      );
      const claimed: ClaimedMail[] = [];
      for (const { is_expired, is_sendable, ...mail } of due) {
        if (is_sendable === 0) {
          await settle(`due_at = ${now()} + :delayMs`, stillOurs, {
            id: mail.id,
            attempts: mail.attempts,
            delayMs: POSTPONED_MS,
          });
          continue;
        }
        const taken = await execute(
          db,
          `UPDATE mails SET attempts = attempts + 1, error = NULL, due_at = ${now()} + :leaseMs, updated_at = ${now()}
           WHERE id = :id AND status = 'queued'${stillOurs}`,
          withNow({ id: mail.id, attempts: mail.attempts, leaseMs }),
        );
        if (taken > 0) claimed.push({ ...mail, attempts: mail.attempts + 1, isExpired: is_expired === 1 });
      }
      return { seen: due.length, claimed };
    },
    sent: ({ id }, keepText) =>
      settle(`status = 'sent', sent_at = ${now()}, error = NULL${keepText ? '' : ', body = NULL'}`, '', { id }),
    retry: ({ id, attempts }, delayMs, error) =>
      settle(`due_at = ${now()} + :delayMs, error = :error`, stillOurs, { id, attempts, delayMs, error: cut(error) }),
    failed: ({ id, attempts }, error) =>
      settle("status = 'failed', body = NULL, error = :error", stillOurs, { id, attempts, error: cut(error) }),
  };
}

/** Cuts an error to the length of its column. */
function cut(error: string): string {
  return error.slice(0, 500).replace(/[\ud800-\udbff]$/, '');
}
