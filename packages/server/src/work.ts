import type { Logger } from 'pino';
import { mailEndpointNotice } from './accounts/endpoint-mails.ts';
import type { Config } from './config/config.ts';
import type { Intercept } from './events/dispatch/attempt.ts';
import { createDispatcher, type DispatcherOptions } from './events/dispatch/dispatcher.ts';
import type { HealthOptions } from './events/endpoints/endpoint-health.ts';
import { createReplayer } from './events/replays/replayer.ts';
import { type Jobs, startJobs } from './jobs/start-jobs.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createMailer } from './mail/mailer.ts';
import { createPrinted } from './mail/printed.ts';
import type { MailTransport } from './mail/transport.ts';
import type { Store } from './open-store.ts';

export interface WorkOptions extends Store {
  readonly log: Logger;
  /** Only a test's: without one due times go by the database's clock, so that no machine's matters. */
  readonly clock?: Clock | undefined;
  /** Where the mail of the development mode is shown as it comes; nowhere when absent. */
  readonly printMail?: ((block: string) => void) | undefined;
  /** Only a test's: another deadline of attempts, in ms, and another look-up of names. */
  readonly delivery?: DeliveryOptions | undefined;
  /** What the development mode is told of, and may stand in the way of. */
  readonly watch?: WorkWatch | undefined;
}

export interface WorkWatch {
  readonly intercept: Intercept;
  /** A mail has been handed on. */
  mailSent(): void;
}

export type DeliveryOptions = Pick<DispatcherOptions, 'deadlineMs' | 'resolve'>;

/** What goes on beside the requests: deliveries, replays, mail and housekeeping, shared with every process that has a part in it. */
export interface Work {
  /** Whether the texts of mails stay readable, for a page that shows them. */
  readonly keepsMail: boolean;
  /** Begins what the configuration gives this process to do. */
  start(): void;
  /** A hint that a delivery is due now. */
  wake(): void;
  /** A hint that a mail is due now. */
  wakeMailer(): void;
  /** Resolves when no replay, delivery or mail is due or under way, or the signal says to wait no more. */
  idle(signal?: AbortSignal): Promise<void>;
  /** Ends what is under way within the configured time, and hands the rest over. */
  stop(): Promise<void>;
}

export async function createWork(config: Config, options: WorkOptions): Promise<Work> {
  const { db, sealer, log, clock, printMail, delivery, watch } = options;
  const { webhooks, housekeeping, shutdownMs: drainMs } = config;
  const { allowedCidrs, leaseMs, perEndpoint, perHost: perTarget, failureDays } = webhooks;
  const health: HealthOptions = {
    failureDays,
    notify: (transaction, notice) =>
      mailEndpointNotice({ db, sealer, log, limits: config.mailLimits }, transaction, notice),
  };
  const dispatcher = createDispatcher({
    db,
    sealer,
    log,
    clock,
    allowedCidrs,
    leaseMs,
    perEndpoint,
    perTarget,
    health,
    drainMs,
    intercept: watch?.intercept,
    ...delivery,
  });
  const replayer = createReplayer({ db, log, clock, leaseMs, scheduled: () => dispatcher.wake() });
  const transport = watched(await transportOf(config, printMail), watch);
  const mailer = transport ? createMailer({ db, sealer, log, transport, clock, drainMs }) : null;
  let jobs: Jobs | null = null;
  return {
    keepsMail: transport?.keepsText ?? false,
    start() {
      if (webhooks.dispatch) {
        dispatcher.start();
        replayer.start();
        if (mailer) mailer.start();
        else log.warn('there is no SMTP_URL: mail waits in the queue until there is');
      }
      if (housekeeping.enabled) jobs = startJobs({ db, clock: clock ?? systemClock, log, ...housekeeping });
    },
    wake: () => dispatcher.wake(),
    wakeMailer: () => mailer?.wake(),
    async idle(signal) {
      // In this order: each makes what comes behind it due.
      await replayer.idle(signal);
      await dispatcher.idle(signal);
      await mailer?.idle(signal);
    },
    async stop() {
      await Promise.all([replayer.stop(), dispatcher.stop(), mailer?.stop(), jobs?.stop()]);
    },
  };
}

function watched(transport: MailTransport | null, watch: WorkWatch | undefined): MailTransport | null {
  if (!transport || !watch) return transport;
  return {
    ...transport,
    async send(mail) {
      await transport.send(mail);
      watch.mailSent();
    },
  };
}

/** null: mail has to wait. */
async function transportOf({ mail, mode }: Config, printMail: WorkOptions['printMail']): Promise<MailTransport | null> {
  if (mail) {
    const { createSmtp } = await import('./mail/smtp.ts');
    return createSmtp(mail);
  }
  return mode === 'development' ? createPrinted(printMail ?? (() => undefined)) : null;
}
