import { LIMITS, RETRY_DELAYS_SECONDS } from '@plat/contract';
import { createVerifier } from '@plat/webhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, select } from '../../db/sql.ts';
import { createWorld, type World } from '../world.fixture.ts';

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

  it('is not delayed by a hanging endpoint with a backlog, not even in its shard', async () => {
    const hung: (() => void)[] = [];
    world.receiver.answer = ({ path }, response) => {
      if (path === '/hangs') hung.push(() => response.end());
      else response.end();
    };
    // The hanging ones come first in the order of ids, and their backlog first in the order of time.
    for (let i = 0; i < 2; i++) await world.addEndpoint({ path: '/hangs', shard: 5 });
    await world.emit(100, now - 1000);
    await world.addEndpoint({ path: '/healthy', shard: 5 });
    await world.addEndpoint({ path: '/healthy', shard: 6 });
    await world.emit(10, now);
    const dispatcher = world.dispatcher({ clock, perEndpoint: 3, pollMs: 20, deadlineMs: 60_000 });
    dispatcher.start();
    await until(() => count('/healthy') === 20);
    expect(count('/hangs')).toBe(6);
    world.receiver.answer = (_request, response) => response.end();
    for (const answer of hung) answer();
    await dispatcher.idle();
    expect(count('/hangs')).toBe(220);
  });

  it('is not delayed by a tenant whose endpoints are all dead', async () => {
    const dead = await world.addTenant();
    for (let n = 0; n < 200; n++) await world.addEndpoint({ tenantId: dead, url: `http://dead${n}.example/` });
    await world.emit(3, now, dead);
    const over = Promise.withResolvers<never>();
    let begun = 0;
    const resolve = () => {
      begun++;
      return over.promise;
    };
    const dispatcher = world.dispatcher({ clock, resolve, deadlineMs: 3_600_000, pollMs: 3_600_000 });
    dispatcher.start();
    // No more than a quarter of all places while nothing good is known of any of them.
    await until(() => begun === 125);
    await world.addEndpoint({ path: '/healthy' });
    for (let n = 0; n < 5; n++) await world.emit(4, now);
    dispatcher.wake();
    await until(() => count('/healthy') === 20);
    expect(begun).toBe(125);
    const rows = await select<{ status: string }>(
      world.db,
      'SELECT DISTINCT status FROM webhook_deliveries WHERE tenant_id = :dead',
      { dead },
    );
    expect(rows).toEqual([{ status: 'pending' }]);
    over.reject(new Error('the test is over'));
  });

  it('limits in-flight deliveries to one host and port, over all endpoints and tenants, until it has responded', async () => {
    const hung: (() => void)[] = [];
    world.receiver.answer = ({ path }, response) => {
      if (path.startsWith('/victim')) hung.push(() => response.writeHead(405).end());
      else response.end();
    };
    const victim = world.receiver.url.replace('127.0.0.1', 'localhost');
    for (let t = 0; t < 4; t++) {
      const tenantId = await world.addTenant();
      for (let n = 0; n < 15; n++) await world.addEndpoint({ tenantId, url: `${victim}/victim?t=${t}&n=${n}` });
      await world.emit(3, now, tenantId);
    }
    const dispatcher = world.dispatcher({ clock, deadlineMs: 3_600_000, pollMs: 20 });
    dispatcher.start();
    await until(() => hung.length === 16);
    // Deliveries that wait for the host delay no other host of any tenant.
    await world.addEndpoint({ path: '/healthy' });
    await world.emit(20, now);
    dispatcher.wake();
    await until(() => count('/healthy') === 20);
    expect(hung).toHaveLength(16);
    world.receiver.answer = (_request, response) => response.writeHead(405).end();
    for (const answer of hung) answer();
    await dispatcher.idle();
    expect(world.receiver.received.filter(({ path }) => path.startsWith('/victim'))).toHaveLength(180);
  });

  it('raises that limit while the host answers 2xx', async () => {
    let inFlight = 0;
    let most = 0;
    let isSlow = false;
    const waiting: (() => void)[] = [];
    world.receiver.answer = (_request, response) => {
      most = Math.max(most, ++inFlight);
      const end = () => {
        inFlight--;
        response.end();
      };
      if (isSlow) waiting.push(end);
      else end();
    };
    for (let t = 0; t < 30; t++) {
      const tenantId = await world.addTenant();
      await world.addEndpoint({ tenantId, path: `/${t}` });
      await world.emit(20, now, tenantId);
    }
    const dispatcher = world.dispatcher({ clock, deadlineMs: 3_600_000, perTarget: 100 });
    dispatcher.start();
    await dispatcher.idle();
    isSlow = true;
    for (const tenantId of await world.tenantIds()) await world.emit(20, now, tenantId);
    dispatcher.wake();
    await until(() => inFlight === 100);
    isSlow = false;
    for (const end of waiting) end();
    await dispatcher.idle();
    expect(most).toBe(100);
  });

  it('gives the sandboxes a small share of each host, which they cannot raise, and production tenants the rest', async () => {
    const hung: (() => void)[] = [];
    world.receiver.answer = ({ path }, response) => {
      if (path.startsWith('/sandbox')) hung.push(() => response.end());
      else response.end();
    };
    for (let t = 0; t < 4; t++) {
      const tenantId = await world.addTenant({ sandbox: true });
      for (let n = 0; n < 10; n++) await world.addEndpoint({ tenantId, path: `/sandbox?t=${t}&n=${n}` });
      await world.emit(12, now, tenantId);
    }
    const dispatcher = world.dispatcher({ clock, deadlineMs: 3_600_000, pollMs: 20 });
    dispatcher.start();
    await until(() => hung.length === 8);
    await world.addEndpoint({ path: '/production' });
    await world.emit(50, now);
    dispatcher.wake();
    await until(() => count('/production') === 50);
    for (let round = 0; round < 20; round++) {
      const before = hung.length;
      for (const answer of hung.splice(0)) answer();
      await until(() => hung.length === 8);
      expect(before).toBeLessThanOrEqual(8);
    }
    world.receiver.answer = (_request, response) => response.end();
    for (const answer of hung) answer();
    await dispatcher.idle();
    expect(world.receiver.received.filter(({ path }) => path.startsWith('/sandbox'))).toHaveLength(480);
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
      await until(() => count('/healthy') === n);
    }
    expect(count('/hangs')).toBe(3);
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
      await until(() => count('/hook') === n);
    }
  });

  it('finds the endpoints behind long backlogs in every shard', async () => {
    for (const shard of [1, 1, 2, 2, 2]) await world.addEndpoint({ path: `/${shard}`, shard });
    await world.emit(100, now);
    const dispatcher = world.dispatcher({ clock });
    dispatcher.start();
    await dispatcher.idle();
    expect([count('/1'), count('/2')]).toEqual([200, 300]);
    expect(new Set(world.receiver.received.map(({ headers }) => headers['x-platform-delivery-id'])).size).toBe(500);
  });

  it('continues after the database was unavailable, and sends nothing twice', async () => {
    await world.addEndpoint();
    const db = await world.openDb();
    const query = db.sequelize.query.bind(db.sequelize);
    let isAway = false;
    let failures = 0;
    db.sequelize.query = ((...args: Parameters<typeof query>) => {
      if (!isAway) return query(...args);
      failures++;
      return Promise.reject(new Error('gone away'));
    }) as typeof query;
    world.receiver.answer = (_request, response) => {
      isAway = true;
      response.end();
    };
    const dispatcher = world.dispatcher({ db, clock, pollMs: 10 });
    await world.emit(50, now);
    dispatcher.start();
    await until(() => failures >= 5);
    world.receiver.answer = (_request, response) => response.end();
    isAway = false;
    await dispatcher.idle();
    expect(world.receiver.received).toHaveLength(50);
    expect((await world.deliveries()).every(({ status }) => status === 'succeeded')).toBe(true);
  });

  it('starts nothing while its leases cannot be renewed, and continues when they can', async () => {
    await world.addEndpoint();
    const db = await world.openDb();
    const query = db.sequelize.query.bind(db.sequelize);
    let renewals = 0;
    let isRefused = false;
    db.sequelize.query = ((...args: Parameters<typeof query>) => {
      if (!isRefused || !String(args[0]).includes('UPDATE dispatchers')) return query(...args);
      renewals++;
      return Promise.reject(new Error('no'));
    }) as typeof query;
    const answers: (() => void)[] = [];
    world.receiver.answer = (_request, response) => {
      isRefused = true;
      answers.push(() => response.end());
    };
    const leaseMs = 300;
    const dispatcher = world.dispatcher({ db, clock, leaseMs, pollMs: 10, perEndpoint: 2 });
    await world.emit(300, now);
    dispatcher.start();
    await until(() => answers.length === 2);
    const lapsed = performance.now() + leaseMs;
    await until(() => performance.now() > lapsed && renewals > 2);
    for (const answer of answers) answer();
    renewals = 0;
    await until(() => renewals > 3);
    expect(world.receiver.received).toHaveLength(2);

    world.receiver.answer = (_request, response) => response.end();
    isRefused = false;
    await dispatcher.idle();
    expect(world.receiver.received).toHaveLength(300);
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

describe('two dispatchers', () => {
  it('share the shards equally and deliver each event once', async () => {
    for (let shard = 0; shard < 16; shard++) await world.addEndpoint({ shard: shard * 4 });
    const first = world.dispatcher({ leaseMs: 3_000, pollMs: 20 });
    first.start();
    await until(async () => (await sharesOf()).join() === '64');
    const second = world.dispatcher({ db: await world.openDb(), leaseMs: 3_000, pollMs: 20 });
    second.start();
    for (let i = 0; i < 10; i++) {
      await world.emit(3);
      first.wake();
    }
    await until(async () => (await sharesOf()).join() === '32,32');
    await world.emit(20);
    await Promise.all([first.idle(), second.idle()]);
    const ids = world.receiver.received.map(({ headers }) => headers['x-platform-delivery-id']);
    expect(ids).toHaveLength(16 * 50);
    expect(new Set(ids).size).toBe(16 * 50);
  });

  it('hand over at once when one stops, after its in-flight deliveries', async () => {
    await world.addEndpoint();
    const answers: (() => void)[] = [];
    world.receiver.answer = (_request, response) => answers.push(() => response.end());
    const first = world.dispatcher({ leaseMs: 3_600_000 });
    first.start();
    await world.emit(1);
    first.wake();
    await until(() => answers.length === 1);
    const stopped = first.stop();
    await world.emit(1);
    first.wake();
    world.receiver.answer = (_request, response) => response.end();
    for (const answer of answers) answer();
    await stopped;
    expect((await world.deliveries()).map(({ status }) => status).sort()).toEqual(['pending', 'succeeded']);
    expect(await sharesOf()).toEqual([]);

    const second = world.dispatcher({ db: await world.openDb(), leaseMs: 3_600_000 });
    second.start();
    await second.idle();
    expect(world.receiver.received).toHaveLength(2);
  });

  it('take over from one that has ended when its lease expires', async () => {
    await world.addEndpoint();
    await world.emit(1);
    const endedAt = Date.now();
    await execute(world.db, "UPDATE shard_leases SET owner = 'dead', token = 9, expires_at = :until", {
      until: endedAt + 400,
    });
    await execute(world.db, "INSERT INTO dispatchers (id, beats, expires_at) VALUES ('dead', 1, :until)", {
      until: endedAt + 400,
    });
    const dispatcher = world.dispatcher({ leaseMs: 600 });
    dispatcher.start();
    await dispatcher.idle();
    expect(world.receiver.received).toHaveLength(1);
    expect(Date.now()).toBeGreaterThanOrEqual(endedAt + 400);
    const leases = await select<{ token: number }>(world.db, 'SELECT DISTINCT token FROM shard_leases');
    expect(leases).toEqual([{ token: 10 }]);
  });
});

function count(path: string): number {
  return world.receiver.received.filter((request) => request.path === path).length;
}

/** Number of shards that each dispatcher holds. */
async function sharesOf(): Promise<number[]> {
  const rows = await select<{ held: number }>(
    world.db,
    'SELECT COUNT(*) AS held FROM shard_leases WHERE owner IS NOT NULL GROUP BY owner',
  );
  return rows.map(({ held }) => held);
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 5));
}
