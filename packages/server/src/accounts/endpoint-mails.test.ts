import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { unitOfWork } from '../db/unit-of-work.ts';
import type { EndpointNotice } from '../events/endpoints/endpoint-health.ts';
import { createWorld, manyMails, sealer } from '../mail/world.fixture.ts';
import { mailEndpointNotice } from './endpoint-mails.ts';
import { createTenant } from './tenants.ts';

test('a mail over a limit is dropped and logged, and the change continues', async () => {
  const world = await createWorld('smtp://127.0.0.1:9');
  onTestFinished(() => world.close());
  const { db, now } = world;
  const owner = { email: 'owner@example.com', name: null };
  const { tenantId } = await unitOfWork(db, (tx) => createTenant(db, tx, { name: 'Acme', sandbox: false, owner, now }));
  const lines: object[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) });
  const recipient = { max: 1, seconds: 60 };
  const limits = { ...manyMails, production: { ...manyMails.production, recipient } };
  const endpoint = { endpointId: 'whe_a', url: 'https://receiver.example', lastFailure: 'HTTP status 500' };
  const times = { failingSince: now, missedSince: null, now };
  const notice: EndpointNotice = { kind: 'failing', tenantId, ...endpoint, reason: null, ...times };
  for (let i = 0; i < 2; i++) await unitOfWork(db, (tx) => mailEndpointNotice({ db, sealer, log, limits }, tx, notice));
  expect(await world.rows()).toMatchObject([{ recipient: owner.email, tenant_id: tenantId }]);
  expect(lines).toMatchObject([{ tenant: tenantId, endpoint: 'whe_a', msg: expect.stringContaining('mail limit') }]);
});
