import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import { count } from '../kernel/meter.ts';
import { PollLoop } from '../kernel/poll-loop.ts';
import type { Sealer } from '../kernel/seal.ts';
import { type ClaimedMail, createMailQueue } from './mail-queue.ts';
import { openText } from './queue-mail.ts';
import { MailRefused, type MailTransport, SEND_MS } from './transport.ts';

export interface MailerOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  readonly transport: MailTransport;
  /** Resolves to false while this process cannot open the text of mails, so that others should send them. */
  readonly opensSecrets?: () => Promise<boolean>;
  /** Clock for due times. Defaults to the database's, so that the clocks of machines do not matter. */
  readonly clock?: Clock | undefined;
  /** Maximum number of in-flight mails. */
  readonly inFlight?: number;
  /** Interval of polls without a wake-up, in ms. */
  readonly pollMs?: number;
  /** Lease of a claimed mail, in ms. Longer than an attempt can take. */
  readonly leaseMs?: number;
  /** Time that `stop` waits for in-flight mails, in ms. */
  readonly drainMs?: number;
}

/** Sends due mails at least once. Any number of processes may each have a mailer on the same database. */
export interface Mailer {
  start(): void;
  /** Wake-up: a mail may be due now. */
  wake(): void;
  /**
   * Resolves when no mail is due or in flight here, or the signal is aborted. Resolves at once if the mailer is not
   * started.
   */
  idle(signal?: AbortSignal): Promise<void>;
  /** Starts no new mail, waits for in-flight mails, and aborts those that remain. */
  stop(): Promise<void>;
}

/** Delays between attempts: about a day in all. */
export const RETRY_DELAYS_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * 60_000);

export function createMailer(options: MailerOptions): Mailer {
  const { db, sealer, log, transport, clock } = options;
  const { opensSecrets = async () => true } = options;
  const { inFlight = 4, pollMs = 2_000, leaseMs = 2 * SEND_MS, drainMs = 15_000 } = options;
  const queue = createMailQueue(db, clock);
  const inFlightMails = new Set<Promise<void>>();
  const loop = new PollLoop({
    pollMs,
    async poll() {
      const free = inFlight - inFlightMails.size;
      const mayClaim = free > 0 && (await opensSecrets());
      const { seen, claimed } = mayClaim ? await queue.claim(free, leaseMs) : { seen: 0, claimed: [] };
      for (const mail of claimed) begin(mail);
      // Due mails that other mailers claimed: more may follow them.
      return seen > 0;
    },
    failed: (error) => log.warn({ err: error }, 'the mail queue could not be read; trying again'),
    isAnyDue: () => queue.isAnyDue(),
    isBusy: () => inFlightMails.size > 0,
  });

  return {
    start: () => loop.start(),
    wake: () => loop.wake(),
    idle: (signal) => loop.idle(signal),
    async stop() {
      await loop.stop();
      await Promise.race([Promise.all(inFlightMails), wait(drainMs, undefined, { ref: false })]);
      transport.close();
      // Aborted mails end at once, and their outcomes are still stored.
      await Promise.all(inFlightMails);
    },
  };

  function begin(mail: ClaimedMail): void {
    const work = attempt(mail)
      .catch((error: unknown) => {
        log.warn({ err: error, mail: mail.id }, 'the outcome of a mail could not be stored; it may be sent again');
      })
      .finally(() => {
        inFlightMails.delete(work);
        loop.wake();
      });
    inFlightMails.add(work);
  }

  async function attempt(mail: ClaimedMail): Promise<void> {
    if (mail.isExpired) return giveUp(mail, 'expired before it could be sent');
    let text = '';
    try {
      text = openText(sealer, mail.id, mail.body ?? Buffer.alloc(0));
      const { id, recipient: to, subject, kind, created_at: createdAt } = mail;
      await transport.send({ id, to, subject, text, kind, createdAt });
    } catch (error) {
      const reason = withoutTextOf(text, error instanceof Error ? error.message : String(error));
      const delay = RETRY_DELAYS_MS[mail.attempts - 1];
      if (error instanceof MailRefused || delay === undefined) return giveUp(mail, reason);
      count('plat_mail_attempts_total', { outcome: 'retrying' });
      log.warn({ mail: mail.id, kind: mail.kind, reason }, 'a mail could not be sent; trying again later');
      return queue.retry(mail, delay, reason);
    }
    count('plat_mail_attempts_total', { outcome: 'sent' });
    await queue.sent(mail, transport.keepsText);
  }

  async function giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    count('plat_mail_attempts_total', { outcome: 'failed' });
    log.error({ mail: mail.id, kind: mail.kind, reason }, 'a mail could not be sent and is given up');
    await queue.failed(mail, reason);
  }
}

/**
 * Removes the text of the mail from a reason. A server that refuses a mail may quote it, and its links and codes are
 * secrets.
 */
function withoutTextOf(text: string, reason: string): string {
  const words = text.split(/[\s<>"'()]+/).map((word) => word.replace(/[.,;:!?]+$/, ''));
  const secrets = words.filter((word) => word.length >= 16 || (word.length >= 6 && /\d/.test(word)));
  // The longest first: the link of an invitation begins with the address of the platform, which is in the text too.
  secrets.sort((a, b) => b.length - a.length);
  return secrets.reduce((rest, word) => rest.replaceAll(word, '[…]'), reason);
}
