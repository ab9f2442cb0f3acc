import { afterAll, beforeAll, expect, it } from 'vitest';
import { shardOf } from '../../kernel/ids.ts';
import { SHARDS } from '../outbox/outbox.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { Lanes } from './endpoint-queues.ts';
import { QueueScanner } from './queue-scanner.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

it('a look at what is new finds it behind more of somebody else than one look takes', async () => {
  const now = Date.now();
  const busy = await world.addEndpoint();
  await world.emit(1_100, now - 600);
  const tenantId = await world.addTenant();
  const shard = shardOf(busy, SHARDS);
  const quiet = await world.addEndpoint({ tenantId, shard: (shard + 1) % SHARDS });
  await world.emit(1, now, tenantId);

  const scanner = new QueueScanner(world.db);
  const lanes = new Lanes({ perEndpoint: 16, inFlight: 500 });
  const shards = [shard, (shard + 1) % SHARDS];
  await scanner.scan(lanes, [shards[1] ?? 0], now - 700);
  expect(await scanner.glance(lanes, shards, now, true)).toBe(false);
  expect(lanes.hungry(9).map(({ endpointId }) => endpointId)).toEqual([quiet]);
});
