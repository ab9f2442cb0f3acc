import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from '../world.fixture.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

it('backs off while the queue cannot be read, with one log line for each failed read', async () => {
  const db = await world.openDb();
  const query = db.sequelize.query.bind(db.sequelize);
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  let isUnavailable = false;
  db.sequelize.query = ((...args: Parameters<typeof query>) => {
    const isRefused = isUnavailable && String(args[0]).includes('FROM webhook_deliveries');
    return isRefused ? Promise.reject(new Error('gone away')) : query(...args);
  }) as typeof query;
  const dispatcher = world.dispatcher({ db, log, recentPollMs: 100 });
  dispatcher.start();
  await dispatcher.idle();
  isUnavailable = true;
  await pause(2_000);
  isUnavailable = false;
  // Full and recent scans back off independently: 50 ms, 100, 200, 400, 800 …
  const unread = lines.filter((line) => line.includes('could not read the delivery queue'));
  expect(unread.length).toBeGreaterThan(0);
  expect(unread.length).toBeLessThan(16);
});
