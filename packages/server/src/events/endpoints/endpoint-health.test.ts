import { LIMITS } from '@plat/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, select } from '../../db/sql.ts';
import type { WebhookEndpointRow } from '../../db/tables/webhook-endpoints.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import type { Dispatcher, DispatcherOptions } from '../dispatch/dispatcher.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { FAILURES_TO_OPEN } from './circuit.ts';
import { disableEndpoint } from './disable-endpoint.ts';
import type { EndpointNotice } from './endpoint-health.ts';

const START = Date.parse('2026-03-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
let world: World;
let now: number;
let notices: EndpointNotice[];
const clock = (): number => now;

beforeEach(async () => {
  world = await createWorld();
  now = START;
  notices = [];
});
afterEach(() => world.close());

/** A dispatcher at work, on the test's clock. */
function begin(options: Partial<DispatcherOptions> = {}): Dispatcher {
  const dispatcher = world.dispatcher({
    clock,
    health: {
      failureDays: 5,
      notify: async (_transaction, notice) => {
        notices.push(notice);
      },
    },
    ...options,
  });
  dispatcher.start();
  return dispatcher;
}

function answerWith(status: number, headers: Record<string, string> = {}): void {
  world.receiver.answer = (_request, response) => response.writeHead(status, headers).end();
}

async function endpoint(id: string): Promise<WebhookEndpointRow> {
  const [row] = await select<WebhookEndpointRow>(world.db, 'SELECT * FROM webhook_endpoints WHERE id = :id', { id });
  if (!row) throw new Error('there is no such endpoint');
  return row;
}

const sent = (): number => world.receiver.received.length;

describe('a failing endpoint', () => {
  it.each([1, 3, 16])(
    'after a success, with %d at a time, gets exactly twenty requests, and then none while its circuit is open',
    async (perEndpoint) => {
      const id = await world.addEndpoint();
      await world.emit(100, now);
      const dispatcher = begin({ perEndpoint });
      await dispatcher.idle();
      world.receiver.received.length = 0;
      answerWith(500);
      await world.emit(200, now);
      await dispatcher.idle();
      expect(sent()).toBe(FAILURES_TO_OPEN);
      expect(await endpoint(id)).toMatchObject({
        status: 'enabled',
        consecutive_failures: 20,
        failing_since: START,
        paused_until: START + 30_000,
      });
      // Unsent deliveries are unchanged: no attempt is used, no row written.
      const pending = (await world.deliveries()).filter(({ attempt, status }) => attempt === 1 && status === 'pending');
      expect(pending).toHaveLength(180);
      for (const row of pending)
        expect(row).toMatchObject({ attempted_at: null, scheduled_at: START, updated_at: START });
      now += 29_999;
      await dispatcher.idle();
      expect(sent()).toBe(20);
    },
  );

  it('gets its oldest delivery when the circuit is half-open, and waits twice as long after its failure', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(100, now);
    const dispatcher = begin();
    await dispatcher.idle();
    let expected = FAILURES_TO_OPEN;
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      now += seconds * 1000 - 1;
      await dispatcher.idle();
      expect(sent()).toBe(expected);
      now += 1;
      await dispatcher.idle();
      expected++;
      expect(sent()).toBe(expected);
    }
    expect((await endpoint(id)).consecutive_failures).toBe(27);
    // Deliveries that were never attempted were due before all retries.
    const attempted = (await world.deliveries()).filter(({ attempted_at }) => attempted_at !== null);
    expect(attempted).toHaveLength(27);
    expect(attempted.every(({ attempt }) => attempt === 1)).toBe(true);
  });

  it('gets all deliveries after it recovers, and its circuit is closed', async () => {
    const id = await world.addEndpoint();
    answerWith(503);
    await world.emit(100, now);
    const dispatcher = begin();
    await dispatcher.idle();
    answerWith(204);
    now += 30_000;
    await dispatcher.idle();
    expect(await endpoint(id)).toMatchObject({
      consecutive_failures: 0,
      failing_since: null,
      pauses: 0,
      paused_until: null,
      warned_at: null,
    });
    const rows = await world.deliveries();
    expect(rows.filter(({ status }) => status === 'pending')).toEqual([]);
    expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(100);
    expect(sent()).toBe(120);
  });

  it('keeps its circuit closed while one delivery in twenty succeeds', async () => {
    const id = await world.addEndpoint();
    world.receiver.answer = (_request, response) => response.writeHead(sent() % 19 === 0 ? 200 : 500).end();
    await world.emit(100, now);
    await begin({ perEndpoint: 1 }).idle();
    expect(sent()).toBe(100);
    expect(await endpoint(id)).toMatchObject({ consecutive_failures: 5, pauses: 0, paused_until: null });
  });

  it('keeps its circuit closed during the seven attempts at one event', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(1, now);
    const dispatcher = begin();
    for (let hours = 0; hours < 40; hours++, now += HOUR_MS) await dispatcher.idle();
    expect(sent()).toBe(LIMITS.webhook.attempts);
    expect(await endpoint(id)).toMatchObject({ consecutive_failures: 7, paused_until: null });
  });

  it('stays open for another dispatcher, which sends nothing before the pause ends', async () => {
    const id = await world.addEndpoint();
    const other = await world.addEndpoint({ path: '/other' });
    answerWith(500);
    await execute(world.db, "UPDATE webhook_endpoints SET status = 'disabled' WHERE id = :other", { other });
    await world.emit(50, now);
    const first = begin();
    await first.idle();
    await first.stop();
    expect((await endpoint(id)).paused_until).toBe(START + 30_000);
    const before = world.receiver.received.filter(({ path }) => path === '/').length;

    await execute(world.db, "UPDATE webhook_endpoints SET status = 'enabled' WHERE id = :other", { other });
    await world.emit(1, now);
    answerWith(204);
    const second = begin({ db: await world.openDb() });
    await second.idle();
    expect(world.receiver.received.filter(({ path }) => path === '/')).toHaveLength(before);
    expect(world.receiver.received.filter(({ path }) => path === '/other')).toHaveLength(1);
    now += 30_000;
    await second.idle();
    expect(world.receiver.received.filter(({ path }) => path === '/')).toHaveLength(before + 51);
  });

  it('gets deliveries soon after its circuit was closed by a request', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(30, now);
    const dispatcher = begin();
    await dispatcher.idle();
    answerWith(204);
    await execute(
      world.db,
      'UPDATE webhook_endpoints SET consecutive_failures = 0, failing_since = NULL, pauses = 0, paused_until = NULL WHERE id = :id',
      { id },
    );
    await dispatcher.idle();
    expect(sent()).toBe(30);
  });

  it('does not delay other endpoints, not even in its shard', async () => {
    await world.addEndpoint({ path: '/dead', shard: 5 });
    world.receiver.answer = ({ path }, response) => response.writeHead(path === '/dead' ? 500 : 200).end();
    await world.emit(600, now - 1000);
    const dispatcher = begin();
    await dispatcher.idle();
    await world.addEndpoint({ path: '/healthy', shard: 5 });
    await world.emit(10, now);
    await dispatcher.idle();
    const paths = world.receiver.received.map(({ path }) => path);
    expect(paths.filter((path) => path === '/healthy')).toHaveLength(10);
    expect(paths.filter((path) => path === '/dead')).toHaveLength(20);
  });

  it('has its due deliveries ended without a request when it is disabled meanwhile', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(60, now);
    const dispatcher = begin();
    await dispatcher.idle();
    await execute(
      world.db,
      "UPDATE webhook_endpoints SET status = 'disabled', pauses = 0, paused_until = NULL WHERE id = :id",
      { id },
    );
    await dispatcher.idle();
    now += 60_000;
    await dispatcher.idle();
    expect(sent()).toBe(20);
    expect((await world.deliveries()).filter(({ status }) => status === 'pending')).toEqual([]);
  });
});

describe('a healthy endpoint', () => {
  it('needs no further statement: only loads read its table', async () => {
    await world.addEndpoint();
    const db = await world.openDb();
    const query = db.sequelize.query.bind(db.sequelize);
    const asked: string[] = [];
    db.sequelize.query = ((...args: Parameters<typeof query>) => {
      asked.push(String(args[0]).replace(/\s+/g, ' ').trim());
      return query(...args);
    }) as typeof query;
    const dispatcher = begin({ db });
    // Which endpoints are paused is read when shards are won.
    await world.emit(1, now);
    await dispatcher.idle();
    asked.length = 0;
    await world.emit(100, now);
    await dispatcher.idle();
    expect(sent()).toBe(101);
    const named = asked.filter((sql) => sql.includes('webhook_endpoints') && !sql.includes('LIMIT 1'));
    expect(named.filter((sql) => !sql.startsWith('SELECT d.queue_shard'))).toEqual([]);
    expect(asked.filter((sql) => sql.startsWith('BEGIN'))).toEqual([]);
  });
});

describe('Retry-After', () => {
  it.each([
    [429, '90', 90_000],
    [503, '90', 90_000],
    [503, '5', 30_000],
    [503, 'in a while', 30_000],
    [500, '90', 30_000],
    [503, '999999', DAY_MS],
  ])('with %d and %s makes the next attempt due %d ms later', async (status, value, delay) => {
    await world.addEndpoint();
    answerWith(status, { 'retry-after': value });
    await world.emit(1, now);
    await begin().idle();
    expect((await world.deliveries()).map(({ scheduled_at }) => scheduled_at)).toEqual([START, START + delay]);
  });
});

describe('410 Gone', () => {
  it('disables the endpoint at once, once, with an audit event and a notice in the same transaction', async () => {
    const id = await world.addEndpoint();
    answerWith(410);
    await world.emit(50, now);
    await begin().idle();
    expect(await endpoint(id)).toMatchObject({
      status: 'disabled',
      disabled_reason: 'gone: it answered 410 Gone',
      failing_since: START,
      paused_until: null,
      missed_since: START,
      missed_until: null,
    });
    expect(await select(world.db, 'SELECT * FROM webhook_subscriptions')).toEqual([]);
    const audit = await select<{ changes: string }>(world.db, 'SELECT * FROM audit_events');
    expect(audit).toMatchObject([
      { actor_type: 'system', actor_id: null, action: 'webhook_endpoint.disabled', target_id: id },
    ]);
    expect(JSON.parse(audit[0]?.changes ?? '')).toMatchObject({
      status: { before: 'enabled', after: 'disabled' },
      disabled_reason: { before: null, after: 'gone: it answered 410 Gone' },
    });
    expect(notices).toMatchObject([{ kind: 'disabled', endpointId: id, lastFailure: 'HTTP status 410', now: START }]);
    expect(sent()).toBeLessThanOrEqual(16);
  });

  it('leaves the outcomes unwritten until the notice can be written', async () => {
    const id = await world.addEndpoint();
    answerWith(410);
    await world.emit(1, now);
    let refusals = 0;
    const notify = async (): Promise<void> => {
      if (refusals++ === 0) throw new Error('the disk is full');
    };
    await begin({ health: { failureDays: 5, notify } }).idle();
    expect(refusals).toBe(2);
    expect((await endpoint(id)).status).toBe('disabled');
    expect(await select(world.db, 'SELECT id FROM audit_events')).toHaveLength(1);
  });

  it('has its effects once when two outcomes report it together', async () => {
    const row = await endpoint(await world.addEndpoint());
    const another = await world.openDb();
    const disable = (db: typeof world.db) =>
      unitOfWork(db, (tx) => disableEndpoint(db, tx, row, { reason: 'gone: it answered 410 Gone', now }));
    const done = await Promise.all([disable(world.db), disable(another)]);
    expect(done.filter((missedSince) => missedSince === null)).toHaveLength(1);
    expect(await select(world.db, 'SELECT id FROM audit_events')).toHaveLength(1);
  });
});

describe('long failure', () => {
  /** Lets an endpoint with a backlog fail for so long, with an attempt each six hours. */
  async function failFor(ms: number, dispatcher: Dispatcher): Promise<void> {
    for (const end = now + ms; now < end; now = Math.min(now + 6 * HOUR_MS, end)) await dispatcher.idle();
    await dispatcher.idle();
  }

  it('for a day notifies the owners once; for five days disables the endpoint with the next failure', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(300, now);
    const dispatcher = begin();
    await failFor(DAY_MS - 1, dispatcher);
    expect(notices).toEqual([]);
    await failFor(2 * HOUR_MS, dispatcher);
    expect(notices).toMatchObject([{ kind: 'failing', reason: null, failingSince: START, endpointId: id }]);
    const { warned_at } = await endpoint(id);
    now = START + 5 * DAY_MS - 1;
    await dispatcher.idle();
    expect(await endpoint(id)).toMatchObject({ status: 'enabled', warned_at });
    expect(notices).toHaveLength(1);
    now += HOUR_MS;
    await dispatcher.idle();
    const reason = 'failing: every attempt since 2026-03-01T00:00:00.000Z failed, the last with HTTP status 500';
    expect(await endpoint(id)).toMatchObject({ status: 'disabled', disabled_reason: reason, missed_since: START });
    expect(notices).toMatchObject([{ kind: 'failing' }, { kind: 'disabled', reason, failingSince: START }]);
  });

  it('starts again after a success', async () => {
    const id = await world.addEndpoint();
    answerWith(500);
    await world.emit(300, now);
    const dispatcher = begin();
    await failFor(3 * DAY_MS, dispatcher);
    answerWith(204);
    now += HOUR_MS;
    await dispatcher.idle();
    answerWith(500);
    await world.emit(300, now);
    await failFor(4 * DAY_MS, dispatcher);
    expect((await endpoint(id)).status).toBe('enabled');
    expect(notices.map(({ kind }) => kind)).toEqual(['failing', 'failing']);
  });

  it('with fewer than twenty failures, or with 0 days, disables nothing', async () => {
    const quiet = await world.addEndpoint();
    answerWith(500);
    const dispatcher = begin();
    await world.emit(1, now);
    await failFor(2 * DAY_MS, dispatcher);
    now += 8 * DAY_MS;
    await world.emit(1, now);
    await dispatcher.idle();
    expect(await endpoint(quiet)).toMatchObject({ status: 'enabled', consecutive_failures: 8 });
    await dispatcher.stop();

    await world.emit(300, now);
    const never = begin({ health: { failureDays: 0, notify: async () => undefined } });
    await failFor(7 * DAY_MS, never);
    expect((await endpoint(quiet)).status).toBe('enabled');
  });
});
