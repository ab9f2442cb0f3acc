import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute, select } from '../../db/sql.ts';
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

/** Number of shards that each dispatcher holds. */
async function sharesOf(): Promise<number[]> {
  const rows = await select<{ held: number }>(
    world.db,
    'SELECT COUNT(*) AS held FROM shard_leases WHERE owner IS NOT NULL GROUP BY owner',
  );
  return rows.map(({ held }) => held);
}
