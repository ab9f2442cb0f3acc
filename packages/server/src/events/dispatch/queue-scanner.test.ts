import { afterAll, beforeAll, expect, it } from 'vitest';
import { shardOf } from '../../kernel/ids.ts';
import { SHARDS } from '../outbox/outbox.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { QueueScanner } from './queue-scanner.ts';
import { Scheduler } from './scheduler.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('a recent scan finds a new delivery behind a backlog larger than its limit', async () => {
  const now = Date.now();
  const busy = await world.addEndpoint();
  await world.emit(1_100, now - 600);
  const tenantId = await world.addTenant();
  const shard = shardOf(busy, SHARDS);
  const quiet = await world.addEndpoint({ tenantId, shard: (shard + 1) % SHARDS });
  await world.emit(1, now, tenantId);

  const scanner = new QueueScanner(world.db);
  const circuits = { isOpen: () => false, maxInFlight: () => Number.POSITIVE_INFINITY };
  const scheduler = new Scheduler({ perEndpoint: 16, inFlight: 500 }, circuits);
  const shards = [shard, (shard + 1) % SHARDS];
  await scanner.scan(scheduler, [shards[1] ?? 0], now - 700);
  expect(await scanner.scanRecent(scheduler, shards, now, true)).toBe(false);
  expect(scheduler.queues.toRefill(9).map(({ endpointId }) => endpointId)).toEqual([quiet]);
});
