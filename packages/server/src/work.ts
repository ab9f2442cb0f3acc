import type { Logger } from 'pino';
import { mailEndpointNotice } from './accounts/endpoint-mails.ts';
import type { Config } from './config/config.ts';
import { setWakeUps } from './db/wake-ups.ts';
import type { Intercept } from './events/dispatch/attempt.ts';
import { createDispatcher, type DispatcherOptions } from './events/dispatch/dispatcher.ts';
import { openWakeChannel } from './events/dispatch/wake-channel.ts';
import type { HealthOptions } from './events/endpoints/endpoint-health.ts';
import { createReplayer } from './events/replays/replayer.ts';
import { type Jobs, startJobs } from './jobs/start-jobs.ts';
import type { Clock } from './kernel/clock.ts';
import { createMailer } from './mail/mailer.ts';
import { createPrinted } from './mail/printed.ts';
import type { MailTransport } from './mail/transport.ts';
import type { Store } from './open-store.ts';
import { masterKeyFits } from './ops/readiness.ts';

export interface WorkOptions extends Pick<Store, 'db' | 'sealer'> {
  readonly log: Logger;
  /** For tests. Due times otherwise follow the database's clock, so that clocks of machines may differ. */
  readonly clock?: Clock | undefined;
  /** Prints each mail of the development mode. */
  readonly printMail?: ((block: string) => void) | undefined;
  /** For tests: deadline of attempts, in ms, and name resolution. */
  readonly delivery?: DeliveryOptions | undefined;
  /** Hooks of the development mode. */
  readonly hooks?: WorkHooks | undefined;
}

export interface WorkHooks {
  readonly intercept: Intercept;
  /** Called after each sent mail. */
  mailSent(): void;
}

export type DeliveryOptions = Pick<DispatcherOptions, 'deadlineMs' | 'resolve'>;

/** Background work: deliveries, replays, mail and housekeeping, shared by the processes that take part. */
export interface Work {
  /** True when sent mails keep their text, for a page that shows them. */
  readonly keepsMail: boolean;
  /** Starts the work that the configuration gives this process. */
  start(): void;
  /** Resolves when no replay, delivery or mail is due or in flight, or when the signal is aborted. */
  idle(signal?: AbortSignal): Promise<void>;
  /** Waits for work in flight within the configured time, and leaves the rest to other processes. */
  stop(): Promise<void>;
}

export async function createWork(config: Config, options: WorkOptions): Promise<Work> {
  const { db, sealer, log, clock, printMail, delivery, hooks } = options;
  const { webhooks, housekeeping, maxClockOffsetMs, shutdownMs: drainMs } = config;
  const { allowedCidrs, leaseMs, perEndpoint, perHost: perTarget, failureDays } = webhooks;
  const health: HealthOptions = {
    failureDays,
    notify: (transaction, notice) =>
      mailEndpointNotice({ db, sealer, log, limits: config.mailLimits }, transaction, notice),
  };
  const opensSecrets = () => masterKeyFits(db, sealer);
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
    intercept: hooks?.intercept,
    opensSecrets,
    ...delivery,
  });
  const replayer = createReplayer({ db, log, clock, leaseMs });
  const transport = withHook(await transportOf(config, printMail), hooks);
  const mailer = transport ? createMailer({ db, sealer, log, transport, clock, drainMs, opensSecrets }) : null;
  const channel = config.redisUrl === null ? null : await openWakeChannel(config.redisUrl);
  setWakeUps(db, {
    deliveries() {
      dispatcher.wake();
      channel?.announce();
    },
    mails: () => mailer?.wake(),
  });
  let jobs: Jobs | null = null;
  return {
    keepsMail: transport?.keepsText ?? false,
    start() {
      if (webhooks.dispatch) {
        dispatcher.start();
        void channel?.listen(() => dispatcher.wake());
        replayer.start();
        if (mailer) mailer.start();
        else log.warn('SMTP_URL is not set: mails stay in the queue');
      }
      if (housekeeping.enabled) jobs = startJobs({ db, log, maxClockOffsetMs, ...housekeeping });
    },
    async idle(signal) {
      // In this order: replays make deliveries due, and deliveries make mail due.
      await replayer.idle(signal);
      await dispatcher.idle(signal);
      await mailer?.idle(signal);
    },
    async stop() {
      await Promise.all([replayer.stop(), dispatcher.stop(), mailer?.stop(), jobs?.stop()]);
      channel?.close();
    },
  };
}

function withHook(transport: MailTransport | null, hooks: WorkHooks | undefined): MailTransport | null {
  if (!transport || !hooks) return transport;
  return {
    ...transport,
    async send(mail) {
      await transport.send(mail);
      hooks.mailSent();
    },
  };
}

/** Resolves to null in production without an SMTP server: mail waits. */
async function transportOf({ mail, mode }: Config, printMail: WorkOptions['printMail']): Promise<MailTransport | null> {
  if (mail) {
    const { createSmtp } = await import('./mail/smtp.ts');
    return createSmtp(mail);
  }
  return mode === 'development' ? createPrinted(printMail ?? (() => undefined)) : null;
}
