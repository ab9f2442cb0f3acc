import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { execute, selectOne } from '../../db/sql.ts';
import { createWorld, type World } from '../world.fixture.ts';

const loading = Promise.withResolvers<void>();
const loaded = Promise.withResolvers<void>();
vi.mock('../sending/observed-client.ts', async (importOriginal) => {
  loading.resolve();
  await loaded.promise;
  return importOriginal();
});

let world: World;
beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

it('is not sent by a process that lost its lease while it loaded the HTTP client', async () => {
  await world.addEndpoint();
  const dispatcher = world.dispatcher({ leaseMs: 600 });
  dispatcher.start();
  await world.emit();
  dispatcher.wake();
  await loading.promise;
  await execute(world.db, "UPDATE shard_leases SET owner = 'another', token = token + 1, expires_at = 9e15", {});
  const beatsBefore = await beats();
  await expect.poll(beats).toBeGreaterThan(beatsBefore + 1);
  loaded.resolve();
  await dispatcher.stop();
  expect(world.receiver.received).toEqual([]);
  expect(await world.deliveries()).toMatchObject([{ status: 'pending' }]);
});

/** Number of times the dispatcher renewed its leases. */
async function beats(): Promise<number> {
  return (await selectOne<{ beats: number }>(world.db, 'SELECT beats FROM dispatchers', {}))?.beats ?? 0;
}
