import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { select } from '../../db/sql.ts';
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
    await until(() => world.receiver.count('/healthy') === 20);
    expect(world.receiver.count('/hangs')).toBe(6);
    world.receiver.answer = (_request, response) => response.end();
    for (const answer of hung) answer();
    await dispatcher.idle();
    expect(world.receiver.count('/hangs')).toBe(220);
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
    await until(() => world.receiver.count('/healthy') === 20);
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
    await until(() => world.receiver.count('/healthy') === 20);
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
    await until(() => world.receiver.count('/production') === 50);
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
});
