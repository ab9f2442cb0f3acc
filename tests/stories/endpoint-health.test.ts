import { HEADERS, type WebhookEndpoint } from '@plat/contract';
import { createTestServer, execute, hashToken, newId, select, type TestServer, unitOfWork } from '@plat/server/testing';
import { createVerifier } from '@plat/webhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { migratedDatabase } from '../support/database.ts';
import { BAD_PLAN, plansOf } from '../support/plans.ts';
import { spawnNode } from '../support/process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { startServerProcess } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.parse('2026-03-01T00:00:00Z');
let now = START;
const clock = () => now;
const MASTER_KEY = Buffer.alloc(32, 3).toString('base64');
const story = useServer({ clock });
let api: Api;
let apiKey: string;
let owner: string;
let receiver: Receiver;
let tenants = 0;

beforeEach(async () => {
  now = START + tenants * 100 * DAY_MS;
  owner = `owner${tenants++}@example.com`;
  ({ apiKey } = await story.server.createTenant({ ownerEmail: owner }));
  api = apiOf(story.server.baseUrl, apiKey);
  receiver = await startReceiver();
});
afterEach(async () => {
  // Isolates the tests: deliveries of one test must not reach the next.
  await execute(story.server.db, "UPDATE webhook_endpoints SET status = 'disabled', paused_until = NULL");
  await story.server.idle();
  await receiver.close();
});

const register = async (): Promise<WebhookEndpoint & { readonly secret: string }> =>
  (await api('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } })).body;
const find = async (id: string): Promise<WebhookEndpoint> => (await api(`/v1/webhooks/endpoints/${id}`)).body;
const patch = async (id: string, body: object): Promise<WebhookEndpoint> =>
  (await api(`/v1/webhooks/endpoints/${id}`, { method: 'PATCH', body })).body;
const createClients = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await api('/v1/clients', { body: { name: `Acme ${i}` } });
};
const answerWith = (status: number, headers: Record<string, string> = {}): void =>
  receiver.answer((_req, res) => res.writeHead(status, headers).end());
const mailsToOwner = async () => (await story.server.mails()).filter(({ to }) => to === owner);
const iso = (ms: number): string => new Date(ms).toISOString();

describe('an endpoint that fails', () => {
  test('is paused after twenty failures in a row, and no attempt is spent until the pause is over', async () => {
    const { id } = await register();
    answerWith(500);
    await createClients(30);
    await story.server.idle();
    expect(receiver.received).toHaveLength(20);
    expect(await find(id)).toMatchObject({
      status: 'enabled',
      failing_since: iso(now),
      paused_until: iso(now + 30_000),
      disabled_reason: null,
      missed_since: null,
    });
    const waiting = (await api('/v1/webhooks/deliveries?status=pending&limit=100')).body.data;
    expect(waiting.filter(({ attempt }: { attempt: number }) => attempt === 1)).toHaveLength(10);
    now += 29_999;
    await story.server.idle();
    expect(receiver.received).toHaveLength(20);
    now += 1;
    await story.server.idle();
    expect(receiver.received).toHaveLength(21);
    expect((await find(id)).paused_until).toBe(iso(now + 60_000));

    answerWith(204);
    now += 60_000;
    await story.server.idle();
    expect(await find(id)).toMatchObject({ failing_since: null, paused_until: null });
    expect((await api('/v1/webhooks/deliveries?status=pending')).body.data).toEqual([]);
    expect((await api('/v1/webhooks/deliveries?status=succeeded&limit=100')).body.data).toHaveLength(30);
    const arrived = receiver.received.slice(21).map(({ headers }) => headers[HEADERS.eventId]);
    expect(new Set(arrived).size).toBe(30);
  });

  test('is tried at once when it is enabled during a pause, or gets another URL', async () => {
    const { id } = await register();
    answerWith(500);
    await createClients(21);
    await story.server.idle();
    expect(await patch(id, { status: 'enabled' })).toMatchObject({ failing_since: null, paused_until: null });
    await receiver.waitFor(21);
    await expect.poll(async () => (await find(id)).failing_since).not.toBeNull();
    expect((await patch(id, { description: 'mine' })).failing_since).not.toBeNull();
    await createClients(20);
    await expect.poll(async () => (await find(id)).paused_until).not.toBeNull();
    answerWith(204);
    await patch(id, { url: `${receiver.url}/moved` });
    await expect.poll(() => receiver.received.filter(({ path }) => path === '/moved').length).toBeGreaterThan(0);
  });

  test('stays enabled when an attempt at its former URL is answered with 410 after the change', async () => {
    const { id } = await register();
    const changed = Promise.withResolvers<void>();
    receiver.answer((_req, res) => void changed.promise.then(() => res.writeHead(410).end()));
    await createClients(1);
    await receiver.waitFor(1);
    await patch(id, { url: `${receiver.url}/moved` });
    changed.resolve();
    await story.server.idle();
    expect(await find(id)).toMatchObject({ status: 'enabled', failing_since: null });
    answerWith(204);
    now += 30_000;
    await story.server.idle();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/moved']);
  });

  test('stays paused when its process is killed: the next process sends to other endpoints, and waits for the end of the pause', async () => {
    const database = await migratedDatabase();
    const env = { DATABASE_URL: database.url, PLAT_MASTER_KEY: MASTER_KEY, PLAT_LEASE_SECONDS: '1' };
    const first = await startServerProcess(env);
    let offset = 0;
    const second = await createTestServer({
      databaseUrl: database.url,
      clock: () => Date.now() + offset,
      env: { ...env, PLAT_DISPATCH: 'false' },
    });
    let third: TestServer | undefined;
    try {
      const tenant = await second.createTenant();
      const call = apiOf(second.baseUrl, tenant.apiKey);
      const paused = async (id: string) => (await call(`/v1/webhooks/endpoints/${id}`)).body.paused_until;
      receiver.answer((req, res) => res.writeHead(req.url === '/down' ? 500 : 204).end());
      const body = { url: `${receiver.url}/down`, events: ['client.created'] };
      const { id } = (await call('/v1/webhooks/endpoints', { body })).body;
      for (let i = 0; i < 25; i++) await call('/v1/clients', { body: { name: `Acme ${i}` } });
      await expect.poll(() => paused(id)).not.toBeNull();
      first.child.kill('SIGKILL');
      await first.exited;

      await call('/v1/webhooks/endpoints', { body: { ...body, url: `${receiver.url}/up` } });
      await call('/v1/clients', { body: { name: 'Acme' } });
      third = await createTestServer({ databaseUrl: database.url, clock: () => Date.now() + offset, env });
      await receiver.waitFor(21);
      await third.idle();
      const paths = () => Map.groupBy(receiver.received, ({ path }) => path);
      expect([paths().get('/down')?.length, paths().get('/up')?.length]).toEqual([20, 1]);
      receiver.answer((_req, res) => res.writeHead(204).end());
      offset = 31_000;
      // The retries of the twenty are due by then, too.
      await receiver.waitFor(21 + 26);
      await third.idle();
      expect(await paused(id)).toBeNull();
      expect((await call('/v1/webhooks/deliveries?status=pending')).body.data).toEqual([]);
    } finally {
      await third?.close();
      await second.close();
      await first.stop();
      await database.drop();
    }
  });

  test.each([
    [429, '3600', HOUR_MS],
    [503, iso(0), 30_000],
    [503, '1', 30_000],
    [500, '3600', 30_000],
  ])('that answers %d with Retry-After: %s is tried again %d ms later', async (status, value, delay) => {
    await register();
    answerWith(status, { 'retry-after': value });
    await createClients(1);
    await story.server.idle();
    const [next] = (await api('/v1/webhooks/deliveries?status=pending')).body.data;
    expect(Date.parse(next.scheduled_at) - now).toBe(delay);
  });

  test('that sends a date in Retry-After is tried again at that date', async () => {
    await register();
    answerWith(503, { 'retry-after': new Date(now + 2 * HOUR_MS).toUTCString() });
    await createClients(1);
    await story.server.idle();
    now += 2 * HOUR_MS - 1;
    await story.server.idle();
    expect(receiver.received).toHaveLength(1);
    now += 1;
    await story.server.idle();
    expect(receiver.received).toHaveLength(2);
  });
});

describe('an endpoint that is disabled', () => {
  test('by 410 Gone is disabled at once and once, with an audit event and a mail to the owner', async () => {
    const { id } = await register();
    answerWith(410);
    await createClients(12);
    await story.server.idle();
    const endpoint = await find(id);
    expect(endpoint).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone: it answered 410 Gone',
      paused_until: null,
      missed_since: iso(now),
    });
    const trail = (await api(`/v1/audit/events?target_id=${id}`)).body.data;
    expect(trail.map(({ action }: { action: string }) => action)).toEqual([
      'webhook_endpoint.disabled',
      'webhook_endpoint.created',
    ]);
    expect(trail[0]).toMatchObject({
      actor: { type: 'system', id: null },
      changes: { status: { before: 'enabled', after: 'disabled' } },
      request_id: null,
    });
    const mails = await mailsToOwner();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      kind: 'webhook_endpoint_disabled',
      subject: `Webhook endpoint disabled: ${id}`,
    });
    for (const part of [
      receiver.url,
      id,
      'gone: it answered 410 Gone',
      'HTTP status 410',
      `plat webhooks endpoints update ${id} --status enabled`,
      `plat webhooks replays create --endpoint-id ${id} --since ${endpoint.missed_since}`,
    ]) {
      expect(mails[0]?.text).toContain(part);
    }
    const before = receiver.received.length;
    await createClients(1);
    now += HOUR_MS;
    await story.server.idle();
    expect(receiver.received).toHaveLength(before);
  });

  test('is reported to the active owners of its tenant only', async () => {
    await story.server.createTenant({ ownerEmail: 'stranger@example.com' });
    for (const [name, role, status] of [
      ['colleague', 'owner', 'active'],
      ['former', 'owner', 'suspended'],
      ['invited', 'owner', 'invited'],
      ['member', 'member', 'active'],
    ] as const) {
      const { body } = await api('/v1/users', { body: { email: `${name}.${owner}`, role } });
      await execute(story.server.db, 'UPDATE users SET status = :status WHERE id = :id', { status, id: body.id });
    }
    const { id } = await register();
    answerWith(410);
    await createClients(1);
    await story.server.idle();
    const mails = (await story.server.mails()).filter(({ subject }) => subject === `Webhook endpoint disabled: ${id}`);
    expect(mails.map(({ to }) => to).sort()).toEqual([`colleague.${owner}`, owner].sort());
  });

  test('while a request disables it too is disabled by one of them, with one audit event', async () => {
    answerWith(410);
    const ids: string[] = [];
    for (let i = 0; i < 8; i++) {
      const body = { url: `${receiver.url}/${i}`, events: ['client.created'] };
      ids.push((await api('/v1/webhooks/endpoints', { body })).body.id);
    }
    await Promise.all([createClients(2), ...ids.map((id) => patch(id, { status: 'disabled' }))]);
    await story.server.idle();
    let byItself = 0;
    for (const id of ids) {
      const trail: { action: string; changes: object | null }[] = (await api(`/v1/audit/events?target_id=${id}`)).body
        .data;
      const disabling = trail.filter(({ changes }) => changes && 'status' in changes);
      expect(disabling).toHaveLength(1);
      if (disabling[0]?.action === 'webhook_endpoint.disabled') byItself++;
      expect((await find(id)).status).toBe('disabled');
    }
    expect(await mailsToOwner()).toHaveLength(byItself);
    const left = await select(
      story.server.db,
      'SELECT endpoint_id FROM webhook_subscriptions WHERE endpoint_id IN (:ids)',
      { ids },
    );
    expect(left).toEqual([]);
  });

  test('by five days of failures gets a warning on the first day; one success prevents it', async () => {
    const { id } = await register();
    answerWith(500);
    await createClients(60);
    const failingSince = now;
    for (; now < failingSince + 5 * DAY_MS; now += 3 * HOUR_MS) await story.server.idle();
    expect((await find(id)).status).toBe('enabled');
    expect((await mailsToOwner()).map(({ kind }) => kind)).toEqual(['webhook_endpoint_failing']);
    now += HOUR_MS;
    await story.server.idle();
    expect(await find(id)).toMatchObject({
      status: 'disabled',
      disabled_reason: `failing: every attempt since ${iso(failingSince)} failed, the last with HTTP status 500`,
      failing_since: iso(failingSince),
      missed_since: iso(failingSince),
    });
    expect((await mailsToOwner()).map(({ kind }) => kind)).toEqual([
      'webhook_endpoint_disabled',
      'webhook_endpoint_failing',
    ]);
  });

  test('reports after it is enabled since when events were missed, until a replay has sent them', async () => {
    const { id } = await register();
    await createClients(1);
    await story.server.idle();
    now += HOUR_MS;
    answerWith(410);
    await createClients(1);
    await story.server.idle();
    const since = iso(now);
    now += HOUR_MS;
    await createClients(2);
    now += 60_000;
    // The retry of the delivery that was answered with 410 ends, unsent.
    await story.server.idle();
    answerWith(204);
    const sent = receiver.received.length;
    const plat = spawnNode('packages/cli/src/main.ts', {
      args: ['webhooks', 'endpoints', 'update', id, '--status', 'enabled'],
      env: { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: apiKey },
    });
    expect(await plat.exited).toEqual({ code: 0, signal: null });
    const command = `plat webhooks replays create --endpoint-id ${id} --since ${since} --select undelivered`;
    expect(plat.stderr()).toContain(command);
    expect(await find(id)).toMatchObject({ status: 'enabled', disabled_reason: null, missed_since: since });
    await createClients(1);
    await story.server.idle();
    expect(receiver.received).toHaveLength(sent + 1);
    expect((await find(id)).missed_since).toBe(since);

    const [, , , ...words] = command.split(' ');
    const replay = spawnNode('packages/cli/src/main.ts', {
      args: ['webhooks', 'replays', ...words],
      env: { PLAT_BASE_URL: story.server.baseUrl, PLAT_API_KEY: apiKey },
    });
    expect(await replay.exited, replay.stderr()).toEqual({ code: 0, signal: null });
    expect((await find(id)).missed_since).toBeNull();
    // A replay begins a moment after it was created.
    now += 1000;
    await receiver.waitFor(sent + 4);
    await story.server.idle();
    expect(receiver.received).toHaveLength(sent + 4);
  });

  test('misses again what a canceled replay has not reached', async () => {
    const { id } = await register();
    const since = iso(now);
    await patch(id, { status: 'disabled' });
    now += HOUR_MS;
    await createClients(2);
    await patch(id, { status: 'enabled' });
    const replay = async (body: object) =>
      (await api('/v1/webhooks/replays', { body: { endpoint_id: id, ...body } })).body;
    const cancel = ({ id: replayId }: { id: string }) =>
      api(`/v1/webhooks/replays/${replayId}/cancel`, { method: 'POST' });
    const first = await replay({ since });
    expect((await find(id)).missed_since).toBeNull();
    expect((await cancel(first)).status).toBe(200);
    expect((await find(id)).missed_since).toBe(since);

    // A replay of one type clears nothing, and restores nothing.
    await cancel(await replay({ since, event_types: ['client.created'] }));
    expect((await find(id)).missed_since).toBe(since);
    const second = await replay({ since });
    now += 1000;
    await story.server.idle();
    expectRefusal(await cancel(second), 'UNPROCESSABLE');
    expect((await find(id)).missed_since).toBeNull();
    expect(receiver.received).toHaveLength(2);
  });

  test('by a request misses events too, for at most the retention of events', async () => {
    const { id } = await register();
    const since = iso(now);
    expect((await patch(id, { status: 'disabled' })).missed_since).toBe(since);
    now += DAY_MS;
    expect((await patch(id, { status: 'enabled' })).missed_since).toBe(since);
    now += DAY_MS;
    expect((await patch(id, { status: 'disabled' })).missed_since).toBe(since);
    now += DAY_MS;
    await patch(id, { status: 'enabled' });
    now += 30 * DAY_MS;
    expect((await find(id)).missed_since).toBe(since);
    now += 1;
    expect((await find(id)).missed_since).toBeNull();
  });
});

test('an endpoint never has more in-flight deliveries than the operator configures', async () => {
  const env = { PLAT_WEBHOOK_CONCURRENCY: '2' };
  const database = await migratedDatabase();
  const server = await createTestServer({ databaseUrl: database.url, env });
  try {
    const call = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
    await call('/v1/webhooks/endpoints', { body: { url: receiver.url, events: ['client.created'] } });
    const open: (() => void)[] = [];
    let most = 0;
    receiver.answer((_req, res) => {
      open.push(() => res.writeHead(204).end());
      most = Math.max(most, open.length);
    });
    for (let i = 0; i < 12; i++) await call('/v1/clients', { body: { name: `Acme ${i}` } });
    while (receiver.received.length < 12 || open.length > 0) {
      await expect.poll(() => open.length).toBeGreaterThanOrEqual(1);
      if (receiver.received.length < 12) await expect.poll(() => open.length).toBe(2);
      for (const answer of open.splice(0)) answer();
    }
    await server.idle();
    expect([most, receiver.received.length]).toEqual([2, 12]);
  } finally {
    await server.close();
    await database.drop();
  }
});

describe('retries', () => {
  test('are signed with the secrets valid at that moment: several while a rotation overlaps, one after it', async () => {
    const { id, secret: first } = await register();
    const rotate = async (expires_in: number): Promise<string> =>
      (await api(`/v1/webhooks/endpoints/${id}/rotate_secret`, { body: { expires_in } })).body.secret;
    answerWith(500);
    await createClients(1);
    await story.server.idle();
    const second = await rotate(3600);
    now += 30_000;
    await story.server.idle();
    now += 120_000;
    await story.server.idle();
    now += HOUR_MS;
    await story.server.idle();
    const third = await rotate(0);
    now += HOUR_MS;
    await story.server.idle();

    const signers = receiver.received.map(({ body, headers }) => {
      const t = Number(/t=(\d+)/.exec(String(headers[HEADERS.signature]))?.[1]) * 1000;
      return [first, second, third].map((secret) => {
        try {
          return createVerifier({ secrets: [secret], now: () => t }).verify(body, headers).object === 'event';
        } catch {
          return false;
        }
      });
    });
    expect(signers).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, false],
      [false, true, false],
      [false, false, true],
    ]);
    const counts = receiver.received.map(({ headers }) => String(headers[HEADERS.signature]).split('v1=').length - 1);
    expect(counts).toEqual([1, 2, 2, 1, 1]);
    expect(new Set(receiver.received.map(({ headers }) => headers[HEADERS.eventId])).size).toBe(1);
  });
});

test('the queries for the health of endpoints read an index, however many endpoints exist', async () => {
  const { server, database } = story;
  const { id } = await register();
  const [row] = await select<{ tenant_id: string; secret: Buffer }>(
    server.db,
    'SELECT tenant_id, secret FROM webhook_endpoints WHERE id = :id',
    { id },
  );
  if (!row) throw new Error('the endpoint is there');
  const others = Array.from({ length: 2000 }, (_, i) => ({
    ...row,
    id: newId('webhook_endpoint'),
    url: `https://example.com/${i}`,
    url_hash: hashToken(String(i)),
    description: null,
    events: '["*"]',
    status: 'disabled' as const,
    disabled_reason: null,
    previous_secret: null,
    previous_secret_expires_at: null,
    consecutive_failures: 0,
    failing_since: null,
    pauses: 0,
    paused_until: null,
    warned_at: null,
    missed_since: null,
    missed_until: null,
    created_at: now,
    updated_at: now,
  }));
  await unitOfWork(server.db, (transaction) => server.db.models.webhookEndpoint.bulkCreate(others, { transaction }));
  if (database.kind !== 'sqlite')
    await server.db.sequelize.query('ANALYZE TABLE webhook_endpoints, webhook_deliveries');
  answerWith(410);
  const plans = await plansOf(server, async () => {
    await select(server.db, 'SELECT id, paused_until FROM webhook_endpoints WHERE paused_until > 0');
    await createClients(1);
    await receiver.waitFor(1);
    await expect.poll(async () => (await find(id)).status).toBe('disabled');
  });
  const own = plans.filter(([statement]) => /MIN\(event_id\)|paused_until|role = 'owner'/.test(statement));
  expect(own.length).toBeGreaterThanOrEqual(5);
  for (const [statement, plan] of own) expect(plan, statement).not.toMatch(BAD_PLAN);
});
