import { timeOfId } from '@plat/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { execute, select } from '../../db/sql.ts';
import { unitOfWork } from '../../db/unit-of-work.ts';
import { setWakeUps } from '../../db/wake-ups.ts';
import { newId } from '../../kernel/ids.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { recordEvent } from './outbox.ts';

const AT = Date.parse('2026-03-01T00:00:00Z');
let world: World;

beforeEach(async () => {
  world = await createWorld();
});
afterEach(() => world.close());

interface Stored {
  readonly id: string;
  readonly created: number;
  readonly payload: string;
}
const events = () => select<Stored>(world.db, 'SELECT id, created, payload FROM events ORDER BY id');
const createds = async () => (await events()).map(({ created }) => created - AT);
/** An event of another process, whose random parts are its own. */
const writeElsewhere = (id: string) =>
  execute(
    world.db,
    "INSERT INTO events (tenant_id, id, type, created, payload) VALUES (:tenantId, :id, 'client.created', :at, '{}')",
    { tenantId: world.tenantId, id, at: timeOfId(id) },
  );

test('an event has the time of its change; within a millisecond, events of a process sort in the order of their creation', async () => {
  await world.emit(3, AT);
  await world.emit(2, AT + 5);
  expect(await createds()).toEqual([0, 0, 0, 5, 5]);
  const payloads = (await events()).map(({ payload }) => JSON.parse(payload));
  expect(payloads.map(({ data }) => data.app_id)).toEqual(['0', '1', '2', '0', '1']);
  for (const { id, created } of payloads) expect(Date.parse(created)).toBe(timeOfId(id));
});

test('an event sorts a millisecond after one of a process whose clock is ahead, repeatedly', async () => {
  await world.emit(1, AT + 600_000);
  await world.emit(2, AT);
  await world.emit(1, AT + 700_000);
  expect(await createds()).toEqual([600_000, 600_001, 600_002, 700_000]);
});

test('an event has a different time than one of another process, in any order of their random parts', async () => {
  await writeElsewhere(`${newId('event', AT).slice(0, 14)}${'0'.repeat(16)}`);
  await world.emit(1, AT);
  await writeElsewhere(`${newId('event', AT + 1).slice(0, 14)}${'z'.repeat(16)}`);
  await world.emit(1, AT + 1);
  expect(await createds()).toEqual([0, 1, 1, 2]);
});

test('the deliveries of an endpoint sort like their events', async () => {
  await world.addEndpoint();
  await world.emit(3, AT);
  await world.emit(3, AT - 1);
  const rows = await select<{ event_id: string }>(world.db, 'SELECT event_id FROM webhook_deliveries ORDER BY id');
  expect(rows.map(({ event_id }) => event_id)).toEqual((await events()).map(({ id }) => id));
});

test('the times of other tenants are independent', async () => {
  await world.emit(1, AT + 600_000);
  await world.emit(1, AT, await world.addTenant());
  expect((await createds()).sort((a, b) => a - b)).toEqual([0, 600_000]);
});

test('an event is delivered to its tenant’s endpoints only', async () => {
  const other = await world.addTenant();
  await world.addEndpoint();
  const endpoint = await world.addEndpoint({ tenantId: other });
  await world.emit(1, AT, other);
  expect(await world.deliveries()).toMatchObject([{ tenant_id: other, endpoint_id: endpoint }]);
});

test('the commit of an event wakes the dispatcher if an endpoint subscribes to it; a rollback does not', async () => {
  let woken = 0;
  setWakeUps(world.db, { deliveries: () => woken++, mails: () => undefined });
  await world.emit();
  expect(woken).toBe(0);
  await world.addEndpoint();
  const data = { app_id: 'app' } as never;
  const event = { tenantId: world.tenantId, type: 'oauth.app_revoked', data, at: AT, requestId: null } as const;
  await expect(
    unitOfWork(world.db, async (transaction) => {
      await recordEvent(world.db, transaction, event);
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  expect(woken).toBe(0);
  await world.emit();
  expect(woken).toBe(1);
});
