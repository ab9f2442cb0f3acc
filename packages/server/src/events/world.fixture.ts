import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebhookEndpointStatus } from '@plat/contract';
import { pino } from 'pino';
import { type Database, openDatabase } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { execute, select } from '../db/sql.ts';
import type { WebhookDeliveryRow } from '../db/tables/webhook-deliveries.ts';
import { unitOfWork } from '../db/unit-of-work.ts';
import { newId, shardOf } from '../kernel/ids.ts';
import { createSealer } from '../kernel/seal.ts';
import { createDispatcher, type Dispatcher, type DispatcherOptions } from './dispatch/dispatcher.ts';
import { sealEndpointSecret } from './endpoints/endpoint-secret.ts';
import { recordEvent, SHARDS } from './outbox/outbox.ts';

/** A database file and a receiver, with helpers for tests. */
export interface World {
  readonly db: Database;
  readonly tenantId: string;
  readonly receiver: Receiver;
  /** Opens another connection to the same file, like another process. */
  openDb(): Promise<Database>;
  addTenant(options?: { readonly sandbox?: boolean }): Promise<string>;
  tenantIds(): Promise<string[]>;
  addEndpoint(given?: {
    tenantId?: string;
    path?: string;
    url?: string;
    shard?: number;
    secret?: string;
  }): Promise<string>;
  setEndpoint(
    id: string,
    columns: { status?: WebhookEndpointStatus; previous?: string; expiresAt?: number },
  ): Promise<void>;
  /** Records events, each call in a separate transaction. */
  emit(count?: number, at?: number, tenantId?: string): Promise<void>;
  deliveries(): Promise<WebhookDeliveryRow[]>;
  dispatcher(options?: Partial<DispatcherOptions>): Dispatcher;
  close(): Promise<void>;
}

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Responds 200 unless a test replaces `answer`. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  answer: (request: Received, response: ServerResponse) => void;
  /** Returns the number of requests for a path. */
  count(path: string): number;
  close(): Promise<void>;
}

const sealer = createSealer([Buffer.alloc(32, 7)]);

export async function createWorld(): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'plat-events-'));
  const open = (): Promise<Database> => openDatabase({ dialect: 'sqlite', path: join(folder, 'plat.db') });
  const db = await openMigrated(folder);
  const opened = [db];
  const dispatchers: Dispatcher[] = [];
  const receiver = await createReceiver();
  const addTenant = async ({ sandbox = false } = {}): Promise<string> => {
    const id = newId('tenant');
    await execute(
      db,
      "INSERT INTO tenants (id, name, status, sandbox, created_at, updated_at) VALUES (:id, 'T', 'active', :sandbox, 0, 0)",
      { id, sandbox: sandbox ? 1 : 0 },
    );
    return id;
  };
  const firstTenantId = await addTenant();
  return {
    db,
    tenantId: firstTenantId,
    receiver,
    addTenant,
    tenantIds: async () => (await select<{ id: string }>(db, 'SELECT id FROM tenants')).map(({ id }) => id),
    async openDb() {
      const another = await open();
      opened.push(another);
      return another;
    },
    async addEndpoint({
      tenantId = firstTenantId,
      path = '/',
      url = receiver.url + path,
      shard,
      secret = 'whsec_test',
    } = {}) {
      let id = newId('webhook_endpoint');
      while (shard !== undefined && shardOf(id, SHARDS) !== shard) id = newId('webhook_endpoint');
      await execute(
        db,
        `INSERT INTO webhook_endpoints (tenant_id, id, url, url_hash, events, status, secret, created_at, updated_at)
         VALUES (:tenantId, :id, :url, :hash, '["*"]', 'enabled', :secret, 0, 0)`,
        {
          tenantId,
          id,
          url,
          hash: createHash('sha256').update(id).digest(),
          secret: sealEndpointSecret(sealer, id, secret),
        },
      );
      await execute(
        db,
        "INSERT INTO webhook_subscriptions (tenant_id, event_type, endpoint_id, shard) VALUES (:tenantId, '*', :id, :shard)",
        { tenantId, id, shard: shardOf(id, SHARDS) },
      );
      return id;
    },
    async setEndpoint(id, { status = 'enabled', previous, expiresAt = 0 }) {
      await execute(
        db,
        'UPDATE webhook_endpoints SET status = :status, previous_secret = :previous, previous_secret_expires_at = :expiresAt WHERE id = :id',
        { id, status, expiresAt, previous: previous === undefined ? null : sealEndpointSecret(sealer, id, previous) },
      );
    },
    async emit(count = 1, at = Date.now(), tenantId = firstTenantId) {
      await unitOfWork(db, async (tx) => {
        for (let i = 0; i < count; i++) {
          const data = { app_id: `${i}` } as never;
          await recordEvent(db, tx, { tenantId, type: 'oauth.app_revoked', data, at, requestId: null });
        }
      });
    },
    deliveries: () => select<WebhookDeliveryRow>(db, 'SELECT * FROM webhook_deliveries ORDER BY attempt, id'),
    dispatcher(options = {}) {
      const log = pino({ level: 'silent' });
      const made = createDispatcher({ db, sealer, log, allowedCidrs: ['127.0.0.0/8'], batchMs: 1, ...options });
      dispatchers.push(made);
      return made;
    },
    async close() {
      await receiver.close();
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
      for (const database of opened) await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a condition holds. The timeout is that of the test. */
export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function createReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const seen = { path: request.url ?? '', headers: request.headers, body };
      receiver.received.push(seen);
      receiver.answer(seen, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: (_request, response) => response.end('ok'),
    count: (path) => receiver.received.filter((request) => request.path === path).length,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
