import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LIMITS, type Scope, type TenantStatus } from '@plat/contract';
import { type Logger, pino } from 'pino';
import { cookieName, csrfTokenOf, type SessionKind, signedId } from '../accounts/session-cookie.ts';
import { addSession } from '../accounts/session-store.ts';
import { createTenant } from '../accounts/tenants.ts';
import { mintApiKey, mintVendorKey } from '../auth/api-keys.ts';
import { SYSTEM } from '../change.ts';
import { QUOTA_NAMES } from '../config/quotas.ts';
import { readConfig } from '../config/read-config.ts';
import { CLOCK_READ } from '../db/clock-watch.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { KEY_USE_UPDATE } from '../db/key-uses.ts';
import { migrate } from '../db/migrate.ts';
import { createMigratedFile } from '../db/migrated-file.ts';
import type { Migration } from '../db/migrations/columns.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import { REQUEST_LOG_INSERT } from '../db/requests.ts';
import { logStatements } from '../db/sequelize-internals.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { createDeveloperToken } from '../developer/tokens.ts';
import type { Devtools } from '../devtools/devtools.ts';
import type { Faults } from '../devtools/faults.ts';
import type { DevClockState, TimeControl, Travel } from '../devtools/time-control.ts';
import type { Route } from '../http/route.ts';
import { type HousekeepingCounts, runHousekeeping } from '../jobs/housekeeping.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId, seededId } from '../kernel/ids.ts';
import { createSealer } from '../kernel/seal.ts';
import { readMailbox } from '../mail/mailbox.ts';
import type { Message } from '../mail/message.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { reencryptSecrets, type SecretsReport } from '../ops/commands/secrets.ts';
import { changeTenantStatus } from '../ops/commands/tenants.ts';
import { loadMasterKeys } from '../ops/data-dir.ts';
import { createDeveloper } from '../sandbox/developers.ts';
import { resetSandbox } from '../sandbox/reset.ts';
import { ensureSampleCatalog } from '../sandbox/sample-catalog.ts';
import { startServer } from '../server.ts';
import type { DeliveryOptions } from '../work.ts';
import { checkRoute } from './check-route.ts';
import { createTestLaunches, type TestLaunches } from './launch.ts';
import { createTestOAuth, type TestOAuth } from './oauth.ts';

export { ACCESS } from '../console/access.ts';
export { ADMIN_PAGES, DEVELOPER_PAGES } from '../console/index.ts';
export type { Migration } from '../db/migrations/columns.ts';
export { execute, select, selectOne } from '../db/sql.ts';
export { rowsAfter } from '../db/table-rows.ts';
export { primaryKeyOf } from '../db/tables/table.ts';
export { TENANT_ROWS } from '../db/tenant-tables.ts';
export { unitOfWork } from '../db/unit-of-work.ts';
export type { DeliveryFault, DevFault, Fault, RequestFault } from '../devtools/faults.ts';
export type { DevClockState, Travel } from '../devtools/time-control.ts';
export { openWakeChannel, type WakeChannel } from '../events/dispatch/wake-channel.ts';
export type { Route } from '../http/route.ts';
export { newId } from '../kernel/ids.ts';
export { hashToken, newToken } from '../kernel/tokens.ts';
export { makeRefreshToken, newRefreshSecret, readRefreshToken } from '../oauth/refresh-token.ts';
export { ROUTES } from '../resources/index.ts';
export { KEPT_TABLES, RESET_TABLES } from '../sandbox/reset.ts';
export { type MailSink, type ReceivedMail, type SinkRefusal, startMailSink } from './mail-sink.ts';
export { newPkce, type TestApp, type TestConsent } from './oauth.ts';

export interface TestServerOptions {
  /** `mysql://…` or `sqlite:path`. Defaults to a new SQLite file. */
  readonly databaseUrl?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Replaces the {@link ROUTES} under /v1. */
  readonly routes?: readonly Route[];
  /**
   * Checks every response against its declared schema, and every error against the declared codes. Defaults to true.
   */
  readonly checkResponses?: boolean;
  /** Further environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
  /** Another deadline of webhook deliveries, in ms, and another look-up of the names of their hosts. */
  readonly delivery?: DeliveryOptions;
  /** Time after which the lock of an Idempotency-Key expires unless it is renewed, in ms. Defaults to 30 s. */
  readonly idempotencyLockMs?: number;
}

export interface TestTenant {
  readonly tenantId: string;
  /** Id of the owner, an active user, who created the key. */
  readonly ownerId: string;
  readonly apiKey: string;
}

/** A mail that the server queued. */
export interface TestMail {
  readonly to: string;
  readonly subject: string;
  /** Empty if the text is not kept: with `SMTP_URL`, after sending. */
  readonly text: string;
  readonly kind: string;
}

/** Cookie and form token of a signed-in browser. */
export interface TestSession {
  /** Value of the header `Cookie`. */
  readonly cookie: string;
  /**
   * Value of the field `_csrf` of posted forms, which also need `Sec-Fetch-Site: same-origin` or the server's own
   * `Origin`.
   */
  readonly csrfToken: string;
}

/** A real server in this process, on a free port of the loopback interface. */
export interface TestServer extends TestOAuth, TestLaunches {
  readonly baseUrl: string;
  readonly db: Database;
  /** Creates a tenant with a key that has the given scopes, all by default. */
  createTenant(options?: {
    readonly scopes?: readonly Scope[];
    readonly sandbox?: boolean;
    readonly ownerEmail?: string;
  }): Promise<TestTenant>;
  /** Creates a developer's sandbox with its seeded content, the sample catalog and a key that has all scopes. */
  createSandbox(): Promise<TestTenant>;
  /** Resets a sandbox to its seeded content. */
  resetSandbox(tenantId: string): Promise<void>;
  /** Replaces the key of a tenant. The new key has the given scopes, all by default. */
  mintKey(tenantId: string, scopes?: readonly Scope[]): Promise<string>;
  /** Suspends or reactivates a tenant, like the operator. */
  setTenantStatus(tenantId: string, status: TenantStatus): Promise<void>;
  /**
   * Creates a developer token, as `plat login` does, for the developer of a sandbox. It is the option `token` of
   * `DeveloperApi` of `@plat/sdk/developer`.
   * @param tenantId - tenant of `createSandbox()`
   */
  mintDeveloperToken(tenantId: string): Promise<string>;
  /** Creates a vendor key, which has no tenant. */
  createVendorKey(): Promise<string>;
  /** Signs in a user of a tenant, without the mail. */
  signInAdmin(userId: string): Promise<TestSession>;
  /** Signs in a developer, without the mail. */
  signInDeveloper(developerId: string): Promise<TestSession>;
  /** Returns the latest hundred mails, newest first. A mail appears with the commit of its change. No mail is sent. */
  mails(): Promise<readonly TestMail[]>;
  /** Queues a mail without a tenant, like a change does, for the mailers. Resolves to its id. */
  queueMail(message: Message): Promise<string>;
  /** Seals all values with the first master key, like `plat-server secrets reencrypt`. */
  reencryptSecrets(): Promise<SecretsReport>;
  /** Deletes expired rows, like the periodic job. Resolves to null if another server is running the job. */
  housekeeping(): Promise<HousekeepingCounts | null>;
  /**
   * The clock of the server. It follows `options.clock`, or the machine's clock, until it is moved.
   * @throws Error for a server in production, which has none
   */
  readonly clock: TestClock;
  /**
   * Faults to inject into requests and deliveries.
   * @throws Error for a server in production, which has none
   */
  readonly faults: Pick<Faults, 'add' | 'list' | 'remove' | 'clear'>;
  /** Resolves when no replay, delivery or mail is due or in flight. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** The functions of `/_dev/clock`, in process. Times are in ms or ISO 8601 text. */
export interface TestClock {
  /** Current time, in ms. */
  now(): number;
  /** Freezes the clock, now or at a time, after the work that is due until then. */
  freeze(at?: Instant, travel?: Travel): Promise<DevClockState>;
  /** Sets the clock to a time, after the work that is due until then, in order. */
  set(at: Instant, travel?: Travel): Promise<DevClockState>;
  /** Moves the clock forward and runs the work that becomes due meanwhile, in order. */
  advance(by: { readonly seconds: number } & Travel): Promise<DevClockState>;
  /** Lets a frozen clock run again from its time. */
  resume(): Promise<DevClockState>;
  /** Resets the clock to the machine's time, or to that of `options.clock`, running. */
  reset(): Promise<DevClockState>;
}

export type Instant = number | string | Date;

/** Starts a server for tests. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-test-'));
  const config = readConfig({
    PORT: '0',
    PLAT_DATA_DIR: dataDir,
    PLAT_SHUTDOWN_SECONDS: '2',
    PLAT_RATE_LIMIT: '1000000',
    // All requests of a test come from one address.
    PLAT_ADDRESS_RATE_LIMIT: '1000000',
    PLAT_SANDBOX_WRITES: '1000000',
    // Tests of other behaviour create many objects and queue many mails.
    PLAT_SANDBOX_QUOTAS: QUOTA_NAMES.map((name) => `${name}=${LIMITS.quotas[name].production}`).join(),
    PLAT_MAIL_LIMITS: 'recipient=1000000,tenant=1000000,network=1000000',
    PLAT_SANDBOX_MAIL_LIMITS: 'recipient=1000000,tenant=1000000,network=1000000',
    // After a test moves the clock, every row has expired; see housekeeping().
    PLAT_HOUSEKEEPING: 'false',
    PLAT_EPHEMERAL: 'true',
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  });
  const log = options.log ?? pino({ level: 'silent' });
  const { database } = config;
  if (database.dialect === 'sqlite' && dirname(database.path) === dataDir) await createMigratedFile(database.path);
  const server = await startServer(config, {
    log,
    migrates: true,
    ...(options.checkResponses === false ? {} : { wrapRoute: checkRoute }),
    ...(options.routes ? { routes: options.routes } : {}),
    ...(options.clock ? { clock: options.clock } : {}),
    ...(options.delivery ? { delivery: options.delivery } : {}),
    ...(options.idempotencyLockMs ? { keyLockMs: options.idempotencyLockMs } : {}),
  });
  const { db, devtools } = server;
  const now = devtools?.time.now ?? options.clock ?? Date.now;
  const sealer = createSealer(loadMasterKeys(config));
  // Limits of a mail that a test queues itself. It has no tenant, but is not a sign-in link.
  const limits = { ...config.mailLimits, signIn: config.mailLimits.production };
  const signIn = async (kind: SessionKind, accountId: string, tenantId: string | null): Promise<TestSession> => {
    const { secret: id } = await unitOfWork(db, (tx) => addSession(db, tx, kind, { accountId, tenantId }, now()));
    const [key = Buffer.alloc(0)] = sealer.keysFor(`cookie of ${kind} sessions`);
    const isSecure = server.baseUrl.startsWith('https:');
    return { cookie: `${cookieName(kind, isSecure)}=${signedId(id, key)}`, csrfToken: csrfTokenOf(id) };
  };
  return {
    baseUrl: server.baseUrl,
    db,
    ...createTestOAuth({ db, clock: now, baseUrl: server.baseUrl }),
    ...createTestLaunches({ db, sealer, clock: now, issuer: config.issuer ?? server.baseUrl }),
    createTenant: ({ scopes, sandbox = true, ownerEmail: email = 'owner@example.com' } = {}) =>
      unitOfWork(db, async (transaction) => {
        const owner = { email, name: 'Test Owner' };
        const tenant = await createTenant(db, transaction, { name: 'Test', sandbox, owner, now: now() });
        const { tenantId, ownerId } = tenant;
        const apiKey = await mintApiKey(db, transaction, {
          tenantId,
          mode: sandbox ? 'test' : 'live',
          createdBy: ownerId,
          now: now(),
          ...(scopes ? { scopes } : {}),
        });
        return { tenantId, ownerId, apiKey };
      }),
    async createSandbox() {
      await ensureSampleCatalog(db, now());
      return unitOfWork(db, async (transaction) => {
        const email = `${newId('developer', now())}@example.com`;
        const { tenantId } = await createDeveloper(db, transaction, { email, actor: SYSTEM, now: now() });
        const ownerId = seededId(tenantId, 'user', 0);
        const key = { tenantId, mode: 'test', createdBy: ownerId, now: now() } as const;
        return { tenantId, ownerId, apiKey: await mintApiKey(db, transaction, key) };
      });
    },
    async resetSandbox(tenantId) {
      await resetSandbox(db, { tenantId, actor: SYSTEM, now: now() });
    },
    mintKey: (tenantId, scopes) =>
      unitOfWork(db, (transaction) => {
        const key = { tenantId, mode: 'test', createdBy: seededId(tenantId, 'user', 0), now: now() } as const;
        return mintApiKey(db, transaction, { ...key, ...(scopes ? { scopes } : {}) });
      }),
    mintDeveloperToken: (tenantId) =>
      unitOfWork(db, async (transaction) => {
        const developer = await db.models.developer.findOne({ where: { tenant_id: tenantId }, transaction, raw: true });
        if (!developer) throw new Error(`${tenantId} is no sandbox with a developer: use createSandbox()`);
        const login = { developerId: developer.id, clientName: 'test', ip: null, now: now() };
        return (await createDeveloperToken(db, transaction, login)).token;
      }),
    async setTenantStatus(tenantId, status) {
      await changeTenantStatus({ db, config, log: pino({ level: 'silent' }), now: now() }, tenantId, status);
    },
    createVendorKey: () => unitOfWork(db, async (transaction) => (await mintVendorKey(db, transaction, now())).apiKey),
    async signInAdmin(userId) {
      const user = await db.models.user.findOne({ where: { id: userId }, raw: true });
      if (!user) throw new Error(`there is no user ${userId}`);
      return signIn('admin', userId, user.tenant_id);
    },
    signInDeveloper: (developerId) => signIn('developer', developerId, null),
    async mails() {
      const kept = await readMailbox(db, sealer);
      return kept.map(({ to, subject, text, kind }) => ({ to, subject, text: text ?? '', kind }));
    },
    reencryptSecrets: () => reencryptSecrets({ db, config, log, now: now() }, () => undefined),
    housekeeping: () => runHousekeeping({ db, log, maxClockOffsetMs: config.maxClockOffsetMs, ...config.housekeeping }),
    queueMail: (message) =>
      unitOfWork(db, (transaction) =>
        queueMail(db, transaction, { ...message, sealer, limits, tenantId: null, network: null, now: now() }),
      ),
    get clock() {
      return testClock(commanded(devtools).time);
    },
    get faults() {
      const { add, list, remove, clear } = commanded(devtools).faults;
      return { add, list, remove, clear };
    },
    idle: () => server.idle(),
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function commanded(devtools: Devtools | null): Devtools {
  if (!devtools) throw new Error('clock and faults are there in the development mode only');
  return devtools;
}

function testClock(time: TimeControl): TestClock {
  const ms = (at: Instant): number => new Date(at).getTime();
  return {
    now: () => time.now(),
    freeze: (at, travel) => time.freeze(at === undefined ? undefined : ms(at), travel),
    set: (at, travel) => time.set(ms(at), travel),
    advance: ({ seconds, ...travel }) => time.advance(seconds * 1000, travel),
    resume: () => time.resume(),
    reset: () => time.reset(),
  };
}

/** Starts of statements that run periodically, or after the responses to which they belong. */
const BACKGROUND = [REQUEST_LOG_INSERT, CLOCK_READ, KEY_USE_UPDATE];

/**
 * Returns the statements that run during `work`, with their values inserted, without those of the request log, of the
 * clock watch and of the last use of keys.
 */
export async function captureStatements(db: Database, work: () => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = [];
  const stop = onStatement(db, (statement) => {
    if (!BACKGROUND.some((start) => statement.startsWith(start))) statements.push(statement);
  });
  try {
    await work();
  } finally {
    stop();
  }
  return statements;
}

export { createMigratedFile };

/** Creates the schema of this version in an empty database, given as `DATABASE_URL`. */
export async function createSchema(databaseUrl: string): Promise<void> {
  const db = await openDatabase(readConfig({ DATABASE_URL: databaseUrl }).database);
  try {
    await migrate(db);
  } finally {
    await db.close();
  }
}

/** Runs a migration that follows those of this version, like a later release. Resolves to its duration, in ms. */
export async function migrateFurther(db: Database, migration: Migration): Promise<number> {
  const [applied] = await migrate(db, { known: [...MIGRATIONS, migration] });
  return applied?.ms ?? 0;
}

/** Calls back with each statement before it runs, with its values inserted. Returns the function that ends it. */
export function onStatement(db: Database, tell: (statement: string) => void): () => void {
  return logStatements(db.sequelize, tell);
}
