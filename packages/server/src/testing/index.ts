import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Scope } from '@plat/contract';
import { type Logger, pino } from 'pino';
import { createTenant } from '../accounts/tenants.ts';
import { mintApiKey, mintVendorKey } from '../auth/api-keys.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { loggingOf } from '../db/sql.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { Clock } from '../kernel/clock.ts';
import { seededId } from '../kernel/ids.ts';
import { createSealer } from '../kernel/seal.ts';
import { readMailbox } from '../mail/mailbox.ts';
import { loadMasterKeys } from '../ops/data-dir.ts';
import { startServer } from '../server.ts';

export { execute, select, selectOne } from '../db/sql.ts';
export { unitOfWork } from '../db/unit-of-work.ts';
export { newId } from '../kernel/ids.ts';
export { type MailSink, type SinkRefusal, type SunkMail, startMailSink } from './mail-sink.ts';

export interface TestServerOptions {
  /** `mysql://…` or `sqlite:path`; a SQLite file of its own when absent. */
  readonly databaseUrl?: string;
  readonly clock?: Clock;
  readonly log?: Logger;
  /** Further environment variables of the server. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface TestTenant {
  readonly tenantId: string;
  /** The owner, an active user, who minted the key. */
  readonly ownerId: string;
  readonly apiKey: string;
}

/** A mail that the server wrote. */
export interface TestMail {
  readonly to: string;
  readonly subject: string;
  /** Empty when it is not kept: with `SMTP_URL`, once it was sent. */
  readonly text: string;
  readonly kind: string;
}

/** A real server in this process, on a free port of the loopback interface. */
export interface TestServer {
  readonly baseUrl: string;
  readonly db: Database;
  /** A new tenant with a key that has the given scopes, all by default. */
  createTenant(options?: { readonly scopes?: readonly Scope[]; readonly sandbox?: boolean }): Promise<TestTenant>;
  /** Replaces the key of a tenant. */
  mintKey(tenantId: string): Promise<string>;
  /** A legacy key without a tenant. */
  createVendorKey(): Promise<string>;
  /** The latest hundred mails, newest first, as soon as the change is committed that wrote them. Nobody is sent one. */
  mails(): Promise<readonly TestMail[]>;
  /** Resolves when no delivery is due or under way. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server for tests; every answer of it is checked against its declared schema. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plat-test-'));
  const config = readConfig({
    PORT: '0',
    PLAT_DATA_DIR: dataDir,
    PLAT_SHUTDOWN_SECONDS: '2',
    PLAT_RATE_LIMIT: '1000000',
    ...(options.databaseUrl === undefined ? {} : { DATABASE_URL: options.databaseUrl }),
    ...options.env,
  });
  const now = options.clock ?? Date.now;
  const server = await startServer(config, {
    log: options.log ?? pino({ level: 'silent' }),
    checkResponses: true,
    ...(options.clock ? { clock: options.clock } : {}),
  });
  const { db } = server;
  const sealer = createSealer(loadMasterKeys(config));
  return {
    baseUrl: server.baseUrl,
    db,
    createTenant: ({ scopes, sandbox = true } = {}) =>
      unitOfWork(db, async (transaction) => {
        const owner = { email: 'owner@example.com', name: 'Test Owner' };
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
    mintKey: (tenantId) =>
      unitOfWork(db, (transaction) =>
        mintApiKey(db, transaction, { tenantId, mode: 'test', createdBy: seededId(tenantId, 'user', 0), now: now() }),
      ),
    createVendorKey: () => unitOfWork(db, (transaction) => mintVendorKey(db, transaction, now())),
    async mails() {
      const kept = await readMailbox(db, sealer);
      return kept.map(({ to, subject, text, kind }) => ({ to, subject, text: text ?? '', kind }));
    },
    idle: () => server.idle(),
    async close() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The statements that run while `work` does, with their values written into them. */
export async function captureStatements(db: Database, work: () => Promise<unknown>): Promise<readonly string[]> {
  const statements: string[] = [];
  const switchboard = loggingOf(db.sequelize);
  switchboard.logging = (line) => statements.push(line.replace(/^Executing \(.*?\): /, ''));
  try {
    await work();
  } finally {
    switchboard.logging = false;
  }
  return statements;
}
