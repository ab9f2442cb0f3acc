import { afterEach, beforeEach, expect, it } from 'vitest';
import { execute } from '../../db/sql.ts';
import { measureInto } from '../../kernel/meter.ts';
import { createWorld, type World } from '../world.fixture.ts';

let world: World;
let counted: unknown[];
beforeEach(async () => {
  world = await createWorld();
  counted = [];
  measureInto({
    add(name, labels) {
      if (name.startsWith('plat_deliver')) counted.push([name, labels]);
    },
    set: () => undefined,
    observe: () => undefined,
    clear: () => undefined,
  });
});
afterEach(async () => {
  measureInto(null);
  await world.close();
});

it('is counted with its result only when it was sent', async () => {
  const endpoint = await world.addEndpoint();
  await world.emit();
  await world.setEndpoint(endpoint, { status: 'disabled' });
  const dispatcher = world.dispatcher();
  dispatcher.start();
  await dispatcher.idle();
  expect(counted).toEqual([['plat_deliveries_unsent_total', { outcome: 'failed', reason: 'endpoint_disabled' }]]);
  await world.setEndpoint(endpoint, { status: 'enabled' });
  await world.emit();
  dispatcher.wake();
  await dispatcher.idle();
  await dispatcher.stop();
  const sent = { outcome: 'succeeded', error_class: '', attempt: 1 };
  expect(counted.slice(1)).toEqual([['plat_delivery_attempts_total', sent]]);
});

it('waits for the row of the tenant, which an import inserts last', async () => {
  await world.addEndpoint();
  await world.emit();
  await execute(world.db, 'DELETE FROM tenants');
  const dispatcher = world.dispatcher();
  dispatcher.start();
  await dispatcher.idle();
  await dispatcher.stop();
  expect(world.receiver.received).toEqual([]);
  expect(await world.deliveries()).toMatchObject([{ status: 'pending', attempt: 1 }]);
});
