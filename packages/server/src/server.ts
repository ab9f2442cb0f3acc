import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import { addressOf, type Config } from './config.ts';
import type { Database } from './db/database.ts';
import { createQuotas } from './db/quotas.ts';
import { createDevtools, type Devtools, type DevtoolsOfStart } from './devtools/devtools.ts';
import { isLoopbackUrl } from './http/only-here.ts';
import { createRequestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { runHousekeeping } from './jobs/housekeeping.ts';
import { type Clock, systemClock } from './kernel/clock.ts';
import { seedRandom } from './kernel/random.ts';
import { createLaunchSigner } from './launch/launch-signer.ts';
import { ensureSigningKey } from './launch/signing-keys.ts';
import { readMailbox } from './mail/mailbox.ts';
import { openStore } from './open-store.ts';
import { devMailRoutes } from './ops/dev-mail.ts';
import { requireEmpty } from './ops/empty-database.ts';
import { createHealth } from './ops/health.ts';
import { listen } from './ops/http-server.ts';
import { ROUTES } from './resources/index.ts';
import { ensureDeveloper, findDeveloper } from './sandbox/developers.ts';
import { replaceKeyInSandboxFile } from './sandbox/sandbox-file.ts';
import { createWork, type DeliveryOptions } from './work.ts';

export interface ServerOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** Made before the server, by whoever dates its log by their clock. */
  readonly devtools?: DevtoolsOfStart | undefined;
  /** Checks every answer against its declared schema, at a cost: for tests. */
  readonly checkResponses?: boolean;
  /** What is served under /v1: a test may have routes of its own. */
  readonly routes?: readonly Route[];
  /** Where the mail of the development mode is shown as it comes; nowhere when absent. */
  readonly printMail?: (block: string) => void;
  /** Another deadline of attempts, in ms, and another look-up of names: for tests. */
  readonly delivery?: DeliveryOptions;
}

/** A server that listens. */
export interface RunningServer {
  readonly baseUrl: string;
  readonly db: Database;
  /** What tests command; null in production. */
  readonly devtools: Devtools | null;
  /** Resolves when no replay, delivery or mail is due or under way. */
  idle(): Promise<void>;
  /** Ends what is under way within the configured time, then lets go of everything. */
  close(): Promise<void>;
}

/**
 * Opens the database, brings it up to date, and serves.
 * @throws StartError, DatabaseUnusableError: one line each, for the operator.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const { log, routes = ROUTES, checkResponses = false } = options;
  const isDeterministic = config.deterministic !== null;
  const base = options.clock ?? systemClock;
  const dev = options.devtools ?? (config.mode === 'development' ? createDevtools({ base, isDeterministic }) : null);
  const clock = dev?.clock ?? base;
  const timing = isDeterministic ? { stopwatch: clock } : {};
  const endSeed = config.deterministic === null ? () => undefined : seedRandom(config.deterministic, config);
  const { db, sealer } = await openStore(config).catch((error: unknown) => {
    endSeed();
    throw error;
  });
  let { port } = config;
  const baseUrlHere = (): string => baseUrlOf(config, port);
  try {
    if (isDeterministic) await requireEmpty(db);
    await ensureSigningKey({ db, sealer }, clock());
    const { printMail, delivery } = options;
    // By the machine's clock there is no housekeeping in a run that is to be the same twice.
    const housekeeping = { ...config.housekeeping, enabled: config.housekeeping.enabled && !isDeterministic };
    const work = await createWork(
      { ...config, housekeeping },
      {
        ...{ db, sealer, log, printMail, delivery },
        clock: options.clock && clock,
        watch: dev?.watch,
      },
    );
    const isDevelopment = config.mode === 'development';
    const requestLog = createRequestLog({
      ...{ db, log, keep: config.requestLog, keepStrangers: isDevelopment },
      rows: config.housekeeping.requestRows,
    });
    const devtools = await dev?.begin({
      ...{ db, log, requestLog, baseUrl: baseUrlHere, idle: work.idle },
      works: config.webhooks.dispatch,
      isEphemeral: config.ephemeral,
      rateLimit: config.rateLimit.requests,
      housekeep: config.housekeeping.enabled ? housekeep : null,
    });
    const rateLimit = await createRateLimit(config, log, dev?.clock);
    const health = createHealth(db);
    const app = createApp({
      db,
      sealer,
      log,
      clock,
      routes,
      wake: work.wake,
      wakeMailer: work.wakeMailer,
      checkResponses,
      rateLimit,
      appRateLimit: config.appRateLimit,
      sandboxWrites: config.sandboxWrites,
      refreshGraceMs: config.refreshGraceMs,
      health,
      launchSigner: createLaunchSigner({ sealer, issuer: () => config.issuer ?? baseUrlHere() }),
      keepSandboxKey: async (key) => (isDevelopment ? replaceKeyInSandboxFile(config.dataDir, key) : null),
      mintsLaunchTokens: isDevelopment,
      requestLog,
      mailLimits: config.mailLimits,
      quotas: createQuotas(config.quotas),
      findDeveloper: (transaction, email) => findDeveloper(db, transaction, email),
      ensureDeveloper: (transaction, developer) => ensureDeveloper(db, transaction, developer),
      trustedProxies: config.trustedProxies,
      securityContact: config.securityContact,
      isSecure: config.baseUrl?.startsWith('https:') ?? false,
      ...timing,
      devtools:
        devtools?.router(...(work.keepsMail ? [devMailRoutes(() => readMailbox(db, sealer), baseUrlHere)] : [])) ??
        null,
      showsDevMail: devtools !== undefined && work.keepsMail && isLoopbackUrl(baseUrlHere()),
      webhookTargets: config.webhooks.allowedCidrs,
      baseUrl: baseUrlHere,
    });
    const { host, writeTimeoutMs } = config;
    const http = await listen(app, { host, port, writeTimeoutMs });
    port = http.port;
    if (devtools && !isLoopbackUrl(baseUrlHere())) log.warn(DEV_TOOLS_CLOSED);
    work.start();
    return {
      baseUrl: baseUrlHere(),
      db,
      devtools: devtools ?? null,
      idle: () => work.idle(),
      async close() {
        health.stopping();
        await Promise.all([http.close(config.shutdownMs), work.stop()]);
        rateLimit.close();
        await requestLog.close();
        await db.close();
        endSeed();
      },
    };
  } catch (error) {
    await db.close();
    endSeed();
    throw error;
  }

  async function housekeep(): Promise<number> {
    const counts = await runHousekeeping({ db, clock, log, ...timing, ...config.housekeeping });
    return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  }
}

const DEV_TOOLS_CLOSED =
  '/_dev is closed: the base URL is not loopback, so other hosts may reach this server through a proxy. Set PLAT_BASE_URL, or HOST, to a loopback address to open it';

function baseUrlOf({ baseUrl, host }: Config, port: number): string {
  return baseUrl ?? addressOf(host, port);
}
