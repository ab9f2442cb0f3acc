import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LIMITS } from '@plat/contract';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { WriteContext } from '../context.ts';
import type { Database } from '../db/database.ts';
import { openMigrated } from '../db/migrated-file.ts';
import { execute, select } from '../db/sql.ts';
import type { MailRow } from '../db/tables/mails.ts';
import { setWakeUps } from '../db/wake-ups.ts';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { createSealer } from '../kernel/seal.ts';
import { readMailbox } from '../mail/mailbox.ts';
import { ROUTES } from '../resources/index.ts';
import { errorHandler } from './error-handler.ts';
import { mount } from './pipeline.ts';
import { requestContext } from './request-context.ts';

const sealer = createSealer([Buffer.alloc(32, 7)]);
const tenantId = newId('tenant');
let folder: string;
let db: Database;
let server: Server;
let woken = 0;
/** Handler of the test's change. */
let change: (ctx: WriteContext) => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plat-change-'));
  db = await openMigrated(folder);
  setWakeUps(db, { deliveries: () => undefined, mails: () => woken++ });
  const route = ROUTES.find(({ name }) => name === 'clients.create');
  if (!route) throw new Error('there is no route to borrow');
  const router = express.Router();
  const write = async (ctx: WriteContext) => change(ctx).then(() => ({}));
  mount(
    router,
    { ...route, write },
    {
      db,
      sealer,
      log: pino({ level: 'silent' }),
      clock: () => 1_000,
      baseUrl: () => 'https://plat.example',
      webhookTargets: [],
      mailLimits: LIMITS.mail,
      quotas: { reserve: async () => undefined },
      admission: { run: (_share, work) => work(), refuses: () => false },
    },
  );
  const app = express();
  app.use(requestContext(pino({ level: 'silent' })), (req, _res, next) => {
    const id = newId('api_key');
    const tenant = { tenantId, tenantStatus: 'active', sandbox: false } as const;
    req.user = { id, actor: { type: 'api_key', id }, ...tenant, scopes: ['clients:write'] };
    next();
  });
  app.use('/v1', router);
  app.use(errorHandler);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await db.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  woken = 0;
  await execute(db, 'DELETE FROM mails');
});

const invitation = { to: 'bob@example.com', subject: 'You are invited', kind: 'user_invitation' };

async function post(): Promise<number> {
  const { port } = server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/clients`, { method: 'POST', headers, body: '{"name":"A"}' });
  return answer.status;
}

test('the commit of a change makes its mail due, for its tenant, and wakes the mailer', async () => {
  change = ({ mail, baseUrl }) => mail({ ...invitation, text: `${baseUrl}/accept` });
  expect(await post()).toBe(201);
  expect(woken).toBe(1);
  expect(await readMailbox(db, sealer)).toMatchObject([{ ...invitation, text: 'https://plat.example/accept' }]);
  const [row] = await select<MailRow>(db, 'SELECT * FROM mails');
  expect(row).toMatchObject({ tenant_id: tenantId, status: 'queued', created_at: 1_000, due_at: 1_000 });
});

test('a refused change queues no mail and does not wake the mailer', async () => {
  change = async ({ mail }) => {
    await mail({ ...invitation, text: 'Hello' });
    throw new ApiError('SLUG_IN_USE', 'Taken');
  };
  expect(await post()).toBe(409);
  expect(woken).toBe(0);
  expect(await readMailbox(db, sealer)).toEqual([]);
});

test('a change without mail does not wake the mailer', async () => {
  change = async () => undefined;
  expect(await post()).toBe(201);
  expect(woken).toBe(0);
});
