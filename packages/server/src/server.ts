import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import type { Config } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { createDispatcher } from './events/dispatcher.ts';
import type { Route } from './http/route.ts';
import { startJobs } from './jobs/start-jobs.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { createSealer } from './kernel/seal.ts';
import { createLaunchSigner } from './launch/launch-signer.ts';
import { ensureSigningKey } from './launch/signing-keys.ts';
import { readMailbox } from './mail/mailbox.ts';
import { createMailer } from './mail/mailer.ts';
import { createPrinted } from './mail/printed.ts';
import { createSmtp } from './mail/smtp.ts';
import type { MailTransport } from './mail/transport.ts';
import { loadMasterKeys, prepareDataDir } from './ops/data-dir.ts';
import { createHealth } from './ops/health.ts';
import { listen } from './ops/http-server.ts';
import { ensureDeveloper } from './sandbox/developers.ts';
import { SURFACE } from './surface.ts';

export interface ServerOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** Checks every answer against its declared schema, at a cost: for tests. */
  readonly checkResponses?: boolean;
  /** What is served under /v1: a test may have routes of its own. */
  readonly routes?: readonly Route[];
  /** Where the mail of the development mode is shown as it comes; nowhere when absent. */
  readonly printMail?: (block: string) => void;
}

/** A server that listens. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly db: Database;
  /** Resolves when no delivery is due or under way. */
  idle(): Promise<void>;
  /** Ends what is under way within the configured time, then lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the database, brings it up to date, and serves.
 * @throws StartError, DatabaseUnusableError: one line each, for the operator.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { log, clock = systemClock, routes = SURFACE.routes, checkResponses = false } = options;
  if (config.mode === 'development' || config.database.dialect === 'sqlite') prepareDataDir(config);
  const sealer = createSealer(loadMasterKeys(config));
  const db = await openDatabase(config.database);
  try {
    await migrate(db);
    await ensureSigningKey({ db, sealer }, clock());
    const dispatcher = createDispatcher({
      db,
      sealer,
      log,
      // Only a test's clock: without one due times go by the database's, so that no machine's matters.
      clock: options.clock,
      allowedCidrs: config.webhooks.allowedCidrs,
      leaseMs: config.webhooks.leaseMs,
      drainMs: config.shutdownMs,
    });
    const transport = transportOf(config, options);
    const mailer = transport
      ? createMailer({ db, sealer, log, transport, clock: options.clock, drainMs: config.shutdownMs })
      : null;
    const rateLimit = createRateLimit(config, log);
    await rateLimit.ready();
    const health = createHealth(db);
    const app = createApp({
      db,
      sealer,
      log,
      clock,
      routes,
      wake: () => dispatcher.wake(),
      wakeMailer: () => mailer?.wake(),
      checkResponses,
      rateLimit,
      refreshGraceMs: config.refreshGraceMs,
      health,
      launchSigner: createLaunchSigner({ sealer, issuer: () => config.issuer ?? baseUrlOf(config, http.port) }),
      mintsLaunchTokens: config.mode === 'development',
      ensureDeveloper: (transaction, developer) => ensureDeveloper(db, transaction, developer),
      trustedProxies: config.trustedProxies,
      isSecure: config.baseUrl?.startsWith('https:') ?? false,
      devMailbox: transport?.keepsText ? () => readMailbox(db, sealer) : null,
      webhookTargets: config.webhooks.allowedCidrs,
      baseUrl: () => baseUrlOf(config, http.port),
    });
    const http = await listen(app, config.host, config.port);
    if (config.webhooks.dispatch) {
      dispatcher.start();
      if (mailer) mailer.start();
      else log.warn('there is no SMTP_URL: mail waits in the queue until there is');
    }
    const jobs = config.housekeeping.enabled ? startJobs({ db, clock, log, ...config.housekeeping }) : null;
    return {
      baseUrl: baseUrlOf(config, http.port),
      db,
      idle: () => dispatcher.idle(),
      async close() {
        health.stopping();
        await Promise.all([http.close(config.shutdownMs), dispatcher.stop(), mailer?.stop(), jobs?.stop()]);
        await rateLimit.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}

function baseUrlOf({ baseUrl, host }: Config, port: number): string {
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** null: mail has to wait. */
function transportOf({ mail, mode }: Config, { printMail }: ServerOptions): MailTransport | null {
  if (mail) return createSmtp(mail);
  return mode === 'development' ? createPrinted(printMail ?? (() => undefined)) : null;
}
