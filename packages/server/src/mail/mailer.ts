import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
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
  /** The time by which mails are due; the database's when absent, so that no machine's clock matters. */
  readonly clock?: Clock | undefined;
  /** Mails under way at once. */
  readonly inFlight?: number;
  /** Interval of polls without a wake-up, in ms. */
  readonly pollMs?: number;
  /** How long a claimed mail stays with a mailer that is silent, in ms: longer than an attempt can take. */
  readonly leaseMs?: number;
  /** How long `stop` waits for what is under way, in ms. */
  readonly drainMs?: number;
}

/** Sends what is due, at least once. Any number of processes may each have one on the same database. */
export interface Mailer {
  start(): void;
  /** A hint that a mail is due now. */
  wake(): void;
  /** Resolves when no mail is due or under way here, or the signal says to wait no more. At once when not started. */
  idle(signal?: AbortSignal): Promise<void>;
  /** Begins nothing new, waits for what is under way, and cuts what is left. */
  stop(): Promise<void>;
}

/** Between the attempts: about a day in all. */
export const RETRY_DELAYS_MS: readonly number[] = [1, 5, 15, 60, 180, 360, 720].map((minutes) => minutes * 60_000);

export function createMailer(options: MailerOptions): Mailer {
  const { db, sealer, log, transport, clock } = options;
  const { inFlight = 4, pollMs = 2_000, leaseMs = 2 * SEND_MS, drainMs = 15_000 } = options;
  const queue = createMailQueue(db, clock);
  const underWay = new Set<Promise<void>>();
  const loop = new PollLoop({
    pollMs,
    async poll() {
      const free = inFlight - underWay.size;
      const { seen, claimed } = free > 0 ? await queue.claim(free, leaseMs) : { seen: 0, claimed: [] };
      for (const mail of claimed) begin(mail);
      // Seen but not claimed: others are at work, and behind these there may be more.
      return seen > 0;
    },
    failed: (error) => log.warn({ err: error }, 'the mail queue could not be read; trying again'),
    isAnyDue: () => queue.isAnyDue(),
    isBusy: () => underWay.size > 0,
  });

  return {
    start: () => loop.start(),
    wake: () => loop.wake(),
    idle: (signal) => loop.idle(signal),
    async stop() {
      await loop.stop();
      await Promise.race([Promise.all(underWay), wait(drainMs, undefined, { ref: false })]);
      transport.close();
      // What was cut ends at once, and its outcome is still written.
      await Promise.all(underWay);
    },
  };

  function begin(mail: ClaimedMail): void {
    const work = attempt(mail)
      .catch((error: unknown) => {
        log.warn({ err: error, mail: mail.id }, 'what became of a mail could not be written; it may be sent again');
      })
      .finally(() => {
        underWay.delete(work);
        loop.wake();
      });
    underWay.add(work);
  }

  async function attempt(mail: ClaimedMail): Promise<void> {
    if (mail.isExpired) return giveUp(mail, 'expired before it could be sent');
    let text = '';
    try {
      text = openText(sealer, mail.id, mail.body ?? Buffer.alloc(0));
      const { id, recipient: to, subject, kind, created_at: createdAt } = mail;
      await transport.send({ id, to, subject, text, kind, createdAt });
    } catch (error) {
      const reason = withoutWordsOf(text, error instanceof Error ? error.message : String(error));
      const delay = RETRY_DELAYS_MS[mail.attempts - 1];
      if (error instanceof MailRefused || delay === undefined) return giveUp(mail, reason);
      log.warn({ mail: mail.id, kind: mail.kind, reason }, 'a mail could not be sent; trying again later');
      return queue.retry(mail, delay, reason);
    }
    await queue.sent(mail, transport.keepsText);
  }

  async function giveUp(mail: ClaimedMail, reason: string): Promise<void> {
    log.error({ mail: mail.id, kind: mail.kind, reason }, 'a mail could not be sent and is given up');
    await queue.failed(mail, reason);
  }
}

/** A server that refuses a mail may quote it: links and codes in it are secrets. */
function withoutWordsOf(text: string, reason: string): string {
  const words = text.split(/[\s<>"'()]+/).map((word) => word.replace(/[.,;:!?]+$/, ''));
  const secrets = words.filter((word) => word.length >= 16 || (word.length >= 6 && /\d/.test(word)));
  return secrets.reduce((rest, word) => rest.replaceAll(word, '[…]'), reason);
}
