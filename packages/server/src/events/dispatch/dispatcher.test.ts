import { LIMITS, RETRY_DELAYS_SECONDS } from '@plat/contract';
import { createVerifier } from '@plat/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../db/sql.ts';
import { createWorld, until, type World } from '../world.fixture.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
let world: World;
let now: number;
const clock = (): number => now;

beforeEach(async () => {
  world = await createWorld();
  now = START;
});
afterEach(() => world.close());

describe('the dispatcher', () => {
  it('sends a committed event to its endpoint, and records the outcome', async () => {
    const endpointId = await world.addEndpoint({ path: '/hook' });
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await world.emit(1, now);
    dispatcher.wake();
    await dispatcher.idle();

    const [request] = world.receiver.received;
    const [row] = await world.deliveries();
    const verifier = createVerifier({ secrets: 'whsec_test', now: clock });
    const event = verifier.verify(request?.body ?? '', request?.headers ?? {});
    expect(request?.headers['x-platform-delivery-id']).toBe(row?.id);
    expect(row).toMatchObject({
      event_id: event.id,
      endpoint_id: endpointId,
      attempt: 1,
      status: 'succeeded',
      queue_shard: null,
      attempted_at: now,
      response_status: 200,
      response_body: 'ok',
      error: null,
      updated_at: now,
    });
    expect(row?.duration_ms).toBeGreaterThanOrEqual(0);
  });

  it('attempts a delivery seven times, each under its own id and signature, after the delays of the specification', async () => {
    await world.addEndpoint();
    world.receiver.answer = (_request, response) => response.writeHead(500).end('no');
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await world.emit(1, now);
    await dispatcher.idle();
    for (const [index, delay] of RETRY_DELAYS_SECONDS.entries()) {
      expect(world.receiver.received).toHaveLength(index + 1);
      now += delay * 1000 - 1;
      await dispatcher.idle();
      expect(world.receiver.received).toHaveLength(index + 1);
      now += 1;
      await dispatcher.idle();
    }
    now += 7 * 86_400_000;
    await dispatcher.idle();

    const { received } = world.receiver;
    expect(received).toHaveLength(LIMITS.webhook.attempts);
    expect(new Set(received.map(({ headers }) => headers['x-platform-delivery-id'])).size).toBe(7);
    expect(new Set(received.map(({ headers }) => headers['x-platform-event-id'])).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['x-platform-signature'])).size).toBe(7);
    const rows = await world.deliveries();
    expect(rows.map(({ attempt, status }) => [attempt, status])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((attempt) => [attempt, 'retrying']),
      [7, 'failed'],
    ]);
    expect(rows.every((row) => row.queue_shard === null && row.response_status === 500)).toBe(true);
    let due = START;
    expect(rows.map((row) => row.scheduled_at)).toEqual([
      START,
      ...RETRY_DELAYS_SECONDS.map((delay) => (due += delay * 1000)),
    ]);
  });

  it('stops after a successful attempt', async () => {
    await world.addEndpoint();
    world.receiver.answer = (_request, response) =>
      response.writeHead(world.receiver.received.length === 1 ? 429 : 204).end();
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await world.emit(1, now);
    await dispatcher.idle();
    for (let hours = 0; hours < 40; hours += 8, now += 8 * 3_600_000) await dispatcher.idle();
    expect((await world.deliveries()).map(({ status }) => status)).toEqual(['retrying', 'succeeded']);
    expect(world.receiver.received).toHaveLength(2);
  });

  it('signs each attempt with the secrets valid at that time', async () => {
    const id = await world.addEndpoint({ secret: 'whsec_new' });
    await world.setEndpoint(id, { previous: 'whsec_old', expiresAt: START + 30_000 });
    world.receiver.answer = (_request, response) => response.writeHead(500).end();
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await world.emit(1, now);
    await dispatcher.idle();
    now += 30_000;
    await dispatcher.idle();
    const signatures = world.receiver.received.map(({ headers }) => String(headers['x-platform-signature']));
    expect(signatures.map((signature) => signature.split('v1=').length - 1)).toEqual([2, 1]);
    const [first] = world.receiver.received;
    const verifier = createVerifier({ secrets: 'whsec_old', now: () => START });
    expect(() => verifier.verifySignature(first?.body ?? '', first?.headers ?? {})).not.toThrow();
  });

  it.each([
    ['deleted', 'endpoint_deleted: the endpoint was deleted'],
    ['disabled', 'endpoint_disabled: the endpoint was disabled'],
  ])('fails the due deliveries of an endpoint that was %s, without an attempt', async (how, error) => {
    const id = await world.addEndpoint();
    await world.emit(3, now);
    if (how === 'deleted') await execute(world.db, 'DELETE FROM webhook_endpoints WHERE id = :id', { id });
    else await world.setEndpoint(id, { status: 'disabled' });
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await dispatcher.idle();
    const rows = await world.deliveries();
    expect(rows).toHaveLength(3);
    for (const row of rows)
      expect(row).toMatchObject({ status: 'failed', error, attempted_at: null, queue_shard: null });
    expect(world.receiver.received).toHaveLength(0);
  });

  it('holds the events of a suspended tenant until it is reactivated, without using an attempt', async () => {
    await world.addEndpoint();
    await execute(world.db, "UPDATE tenants SET status = 'suspended'");
    await world.emit(1, now);
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    for (let minutes = 0; minutes < 5; minutes++, now += 60_000) await dispatcher.idle();
    expect(world.receiver.received).toHaveLength(0);
    await execute(world.db, "UPDATE tenants SET status = 'active'");
    now += 60_000;
    await dispatcher.idle();
    expect(await world.deliveries()).toMatchObject([{ attempt: 1, status: 'succeeded' }]);
  });

  it('sends an endpoint its deliveries in order', async () => {
    await world.addEndpoint();
    for (let i = 0; i < 20; i++) await world.emit(10, now + i);
    now += 1000;
    const dispatcher = world.dispatcher({ clock, perEndpoint: 1 });
    dispatcher.start();
    await dispatcher.idle();
    const arrived = world.receiver.received.map(({ headers }) => String(headers['x-platform-event-id']));
    expect(arrived).toHaveLength(200);
    expect(arrived).toEqual([...arrived].sort());
  });

  it('finds new deliveries at once, although the backlog exceeds one scan and no poll is due', async () => {
    const hung: (() => void)[] = [];
    world.receiver.answer = ({ path }, response) => {
      if (path === '/hangs') hung.push(() => response.end());
      else response.end();
    };
    await world.addEndpoint({ path: '/hangs', shard: 5 });
    await world.emit(600, now - 10_000);
    const dispatcher = world.dispatcher({ clock, perEndpoint: 3, pollMs: 3_600_000, deadlineMs: 3_600_000 });
    dispatcher.start();
    await until(() => hung.length === 3);
    const other = await world.addTenant();
    await world.addEndpoint({ tenantId: other, path: '/healthy', shard: 5 });
    for (let n = 1; n <= 10; n++) {
      now += 60_000;
      await world.emit(1, now, other);
      dispatcher.wake();
      await until(() => world.receiver.count('/healthy') === n);
    }
    expect(world.receiver.count('/hangs')).toBe(3);
    for (const answer of hung) answer();
  });

  it('finds deliveries of another process before the next poll, without a wake-up', async () => {
    await world.addEndpoint({ path: '/hook' });
    const dispatcher = world.dispatcher({ clock, pollMs: 3_600_000, recentPollMs: 10 });
    dispatcher.start();
    await world.emit(1, now);
    await dispatcher.idle();
    for (let n = 2; n <= 5; n++) {
      now += 60_000;
      await world.emit(1, now);
      await until(() => world.receiver.count('/hook') === n);
    }
  });

  it('finds the endpoints behind long backlogs in every shard', async () => {
    for (const shard of [1, 1, 2, 2, 2]) await world.addEndpoint({ path: `/${shard}`, shard });
    await world.emit(100, now);
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await dispatcher.idle();
    expect([world.receiver.count('/1'), world.receiver.count('/2')]).toEqual([200, 300]);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['x-platform-delivery-id'])).size).toBe(500);
  });

  it('makes one short query for each poll while nothing is due', async () => {
    await world.addEndpoint();
    world.receiver.answer = (_request, response) => response.writeHead(500).end();
    const db = await world.openDb();
    const query = db.sequelize.query.bind(db.sequelize);
    const asked: string[] = [];
    db.sequelize.query = ((...args: Parameters<typeof query>) => {
      asked.push(String(args[0]));
      return query(...args);
    }) as typeof query;
    const dispatcher = world.dispatcher({ db, clock, pollMs: 10 });
    await world.emit(10, now);
    dispatcher.start();
    await dispatcher.idle();
    asked.length = 0;
    await until(() => asked.length >= 10);
    expect(new Set(asked.map((sql) => sql.replace(/\s+/g, ' ').slice(0, 100))).size).toBe(1);
  });
});
