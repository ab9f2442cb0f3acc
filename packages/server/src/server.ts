import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { createAdmission } from './auth/admission.ts';
import { createKeyUses } from './auth/key-uses.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import { createKnownShares } from './auth/shares.ts';
import type { Config } from './config/config.ts';
import { ConfigError } from './config/config-error.ts';
import { addressOf, publicAddressProblem } from './config/public-address.ts';
import type { Database } from './db/database.ts';
import { followClock } from './db/database-clock.ts';
import { storeKeyUses } from './db/key-uses.ts';
import { createQuotas } from './db/quotas.ts';
import type { Devtools } from './devtools/devtools.ts';
import { isLoopbackUrl } from './http/loopback-only.ts';
import { createOverLimit } from './http/over-limit.ts';
import { refuseFirst } from './http/refuse-first.ts';
import { createRequestLog } from './http/request-log.ts';
import type { AnyRoute, Route } from './http/route.ts';
import { runHousekeeping } from './jobs/housekeeping.ts';
import type { Clock } from './kernel/clock.ts';
import { type Closers, startOrClose } from './kernel/closers.ts';
import { createLaunchSigner } from './launch/launch-signer.ts';
import { ensureSigningKey } from './launch/signing-keys.ts';
import { readMailbox } from './mail/mailbox.ts';
import { openStore } from './open-store.ts';
import { devMailRoutes } from './ops/dev-mail.ts';
import { createHealth } from './ops/health.ts';
import { type HttpServer, listen } from './ops/http-server.ts';
import { observeProcess } from './ops/observe-process.ts';
import { versionOf } from './ops/version-info.ts';
import { ROUTES } from './resources/index.ts';
import { ensureDeveloper, findDeveloper } from './sandbox/developers.ts';
import { type Variant, variantOf } from './variants.ts';
import { createWork, type DeliveryOptions } from './work.ts';

export interface ServerOptions {
  readonly log: Logger;
  /** True: migrates the database in any case. */
  readonly migrates?: boolean;
  /** For tests: replaces the system clock. */
  readonly clock?: Clock;
  /** Defaults to the variant of the configuration. */
  readonly variant?: Variant;
  /** For tests: replaces the routes under /v1. */
  readonly routes?: readonly Route[];
  /** For tests: replaces each route of an API before it is mounted. */
  readonly wrapRoute?: (route: AnyRoute) => AnyRoute;
  /** Prints each mail of the development mode. */
  readonly printMail?: (block: string) => void;
  /** For tests: deadline of attempts, in ms, and name resolution. */
  readonly delivery?: DeliveryOptions;
  /** For tests: time after which the lock of an Idempotency-Key expires unless it is renewed, in ms. */
  readonly keyLockMs?: number;
}

/** A server that listens. */
export interface RunningServer {
  readonly baseUrl: string;
  /** Address of `/metrics` and `/version`; null when they are not served. */
  readonly managementUrl: string | null;
  /** False when a readiness check failed at the start. The log has the reason. */
  readonly isReady: boolean;
  readonly db: Database;
  /** Null in production. */
  readonly devtools: Devtools | null;
  /** Resolves when no replay, delivery or mail is due or in flight. */
  idle(): Promise<void>;
  /** Waits for in-flight requests and deliveries within the configured time, then closes the database. */
  close(): Promise<void>;
}

/**
 * Opens the database, and serves.
 * @throws ConfigError, StartError, DatabaseUnusableError: for the operator, without a stack.
 */
export async function startServer(config: Config, options: ServerOptions): Promise<RunningServer> {
  const problem = publicAddressProblem(config);
  if (problem !== null) throw new ConfigError([problem]);
  const variant = options.variant ?? variantOf(config, options.clock);
  return startOrClose((closers) => serve(config, options, variant, closers));
}

async function serve(
  config: Config,
  { log, routes = ROUTES, wrapRoute = (route) => route, printMail, delivery, keyLockMs, ...options }: ServerOptions,
  variant: Variant,
  closers: Closers,
): Promise<RunningServer> {
  closers.add(variant.seed());
  const observation = await observeProcess(config, 'server', log);
  closers.add(() => observation.close());
  const { clock, stopwatch } = variant;
  const store = await openStore(config, log, {
    migrates: options.migrates,
    async prepare({ db, sealer }) {
      if (options.clock) followClock(db, options.clock);
      await variant.checkDatabase(db);
      await ensureSigningKey({ db, sealer }, clock());
    },
  });
  closers.add(() => store.close());
  closers.add(() => observation.unwatch());
  const { db, clocks, sealer } = store;
  let { port } = config;
  const baseUrl = (): string => config.baseUrl ?? addressOf(config.host, port);

  const requestLog = createRequestLog({
    db,
    log,
    limits: {
      keep: config.requestLog,
      days: config.housekeeping.requestRetentionDays,
      rows: config.housekeeping.requestRows,
    },
    keepAnonymous: variant.logsAnonymousRequests,
  });
  closers.add(() => requestLog.close());
  const keyUses = createKeyUses({ store: (uses) => storeKeyUses(db, uses), log });
  closers.add(() => keyUses.close());
  const rateLimit = await createRateLimit(config, log, variant.devtools?.clock);
  closers.add(() => rateLimit.close());
  const housekeeping = { ...config.housekeeping, enabled: config.housekeeping.enabled && variant.housekeeping };
  const work = await createWork(
    { ...config, housekeeping },
    // Without a test's clock, due times follow the clock of the database.
    { db, sealer, log, printMail, delivery, clock: options.clock && clock, hooks: variant.devtools?.hooks },
  );
  let http: HttpServer | null = null;
  closers.add(() => Promise.all([http?.close(config.shutdownMs), work.stop()]));
  const devtools = await variant.devtools?.begin({
    db,
    log,
    requestLog,
    baseUrl,
    idle: work.idle,
    works: config.webhooks.dispatch,
    isEphemeral: config.ephemeral,
    rateLimit: config.rateLimit.requests,
    housekeep: config.housekeeping.enabled ? housekeep : null,
  });
  // Each connection of the pool, and as many requests that use the processor meanwhile.
  const admission = createAdmission({
    slots: config.database.dialect === 'sqlite' ? 32 : 2 * config.database.poolSize,
  });
  const shares = createKnownShares();
  const overLimit = createOverLimit(clock);
  const health = createHealth({ db, sealer, clocks, log });
  const mailPages = work.keepsMail ? [devMailRoutes(() => readMailbox(db, sealer), baseUrl)] : [];
  const closing = new AbortController();
  const app = createApp({
    closing: closing.signal,
    db,
    sealer,
    log,
    clock,
    ...(stopwatch && { stopwatch }),
    baseUrl,
    isSecure: config.baseUrl?.startsWith('https:') ?? false,
    trustedProxies: config.trustedProxies,
    securityContact: config.securityContact,
    routes,
    wrapRoute,
    rateLimit,
    appRateLimit: config.appRateLimit,
    sandboxWrites: config.sandboxWrites,
    mailLimits: config.mailLimits,
    quotas: createQuotas(config.quotas),
    admission,
    shares,
    overLimit,
    keyUses,
    ...(keyLockMs !== undefined && { keyLockMs }),
    refreshGraceMs: config.refreshGraceMs,
    webhookTargets: config.webhooks.allowedCidrs,
    health,
    version: versionOf(config),
    requestLog,
    launchSigner: createLaunchSigner({ sealer, issuer: () => config.issuer ?? baseUrl() }),
    launchesSandboxes: variant.launchesSandboxes,
    keepSandboxKey: variant.keepSandboxKey,
    findDeveloper: (transaction, email) => findDeveloper(db, transaction, email),
    ensureDeveloper: (transaction, developer) => ensureDeveloper(db, transaction, developer),
    devtools: devtools?.router(...mailPages) ?? null,
    showsDevMail: devtools !== undefined && work.keepsMail && isLoopbackUrl(baseUrl()),
  });
  const { host, writeTimeoutMs } = config;
  http = await listen(refuseFirst({ admission, shares, overLimit: devtools ? null : overLimit, log }, app), {
    host,
    port,
    writeTimeoutMs,
    isMeasured: true,
  });
  port = http.port;
  observation.watch(store);
  if (devtools && !isLoopbackUrl(baseUrl())) log.warn(DEV_TOOLS_CLOSED);
  work.start();
  const isReady = await health.isReady();
  return {
    baseUrl: baseUrl(),
    managementUrl: observation.managementUrl,
    isReady,
    db,
    devtools: devtools ?? null,
    idle: () => work.idle(),
    async close() {
      health.stopping();
      closing.abort();
      await closers.close();
    },
  };

  async function housekeep(): Promise<number> {
    const { maxClockOffsetMs } = config;
    const run = { db, maxClockOffsetMs, ...(stopwatch && { stopwatch }), log, ...config.housekeeping };
    const counts = await runHousekeeping(run);
    return Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);
  }
}

const DEV_TOOLS_CLOSED =
  '/_dev is closed: the base URL is not loopback, so other hosts may reach this server through a proxy. Set PLAT_BASE_URL, or HOST, to a loopback address to open it';
