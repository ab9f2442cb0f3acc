import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../db/sql.ts';
import { CLOSED_CIRCUIT } from '../endpoints/circuit.ts';
import type { EndpointReport } from '../endpoints/endpoint-health.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { Circuits } from './circuits.ts';

let world: World;
let now: number;
let circuits: Circuits;
let id: string;

beforeEach(async () => {
  world = await createWorld();
  id = await world.addEndpoint({ shard: 7 });
  now = 1_000;
  circuits = new Circuits({
    db: world.db,
    log: pino({ level: 'silent' }),
    health: { failureDays: 0, notify: async () => undefined },
    now: () => now,
    isHeld: (shard) => shard === 7,
  });
});
afterEach(() => world.close());

const report = (state: Partial<EndpointReport>): EndpointReport => ({
  ...CLOSED_CIRCUIT,
  id,
  disabledReason: null,
  ...state,
});
const loaded = (columns: Partial<LoadedDelivery>): LoadedDelivery =>
  ({ endpoint_id: id, endpoint_status: 'enabled', consecutive_failures: 0, ...columns }) as LoadedDelivery;
const pause = (until: number | null, endpointId = id) =>
  execute(world.db, 'UPDATE webhook_endpoints SET paused_until = :until WHERE id = :endpointId', { until, endpointId });

describe('circuits', () => {
  it('do not limit an endpoint without failures', () => {
    expect(circuits.maxInFlight(id)).toBe(Number.POSITIVE_INFINITY);
    expect(circuits.isFailing(loaded({}))).toBe(false);
  });

  it('allow no more in-flight deliveries than it takes to open, recorded or not', () => {
    for (let i = 0; i < 12; i++) circuits.failed(id);
    expect(circuits.maxInFlight(id)).toBe(8);
    circuits.update([report({ consecutive_failures: 12 })]);
    for (let i = 0; i < 12; i++) circuits.failureRecorded(id);
    expect(circuits.maxInFlight(id)).toBe(8);
    expect(circuits.isFailing(loaded({}))).toBe(true);
    for (let i = 0; i < 8; i++) circuits.failed(id);
    expect(circuits.maxInFlight(id)).toBe(0);
    circuits.update([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    for (let i = 0; i < 8; i++) circuits.failureRecorded(id);
    expect([circuits.isOpen(id), circuits.maxInFlight(id)]).toEqual([true, 0]);
  });

  it('allow one delivery when half-open, and another one only when its outcome is recorded', () => {
    circuits.update([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    now = 31_000;
    expect([circuits.isOpen(id), circuits.maxInFlight(id)]).toEqual([false, 1]);
    circuits.failed(id);
    expect(circuits.maxInFlight(id)).toBe(0);
    circuits.update([report({ consecutive_failures: 21, pauses: 2, paused_until: 91_000 })]);
    circuits.failureRecorded(id);
    now = 91_000;
    expect(circuits.maxInFlight(id)).toBe(1);
    circuits.update([report({})]);
    expect(circuits.maxInFlight(id)).toBe(Number.POSITIVE_INFINITY);
    expect(circuits.isFailing(loaded({}))).toBe(false);
  });

  it('allow one delivery when there were more failures than it takes to open', () => {
    circuits.loaded([loaded({ consecutive_failures: 25 })], performance.now());
    expect(circuits.maxInFlight(id)).toBe(1);
  });

  it('stay open when a load finds fewer failures', () => {
    circuits.update([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    circuits.loaded([loaded({ consecutive_failures: 3 })], performance.now() + 1);
    expect([circuits.isOpen(id), circuits.maxInFlight(id)]).toEqual([true, 0]);
  });

  it('follow a load, unless it was read before the last outcome was written', () => {
    circuits.loaded([loaded({ consecutive_failures: 15 })], performance.now());
    expect(circuits.maxInFlight(id)).toBe(5);
    circuits.loaded([loaded({ consecutive_failures: 0 })], performance.now());
    expect(circuits.maxInFlight(id)).toBe(Number.POSITIVE_INFINITY);
    const before = performance.now();
    circuits.update([report({ consecutive_failures: 19 })]);
    circuits.loaded([loaded({ consecutive_failures: 15 })], before);
    expect(circuits.maxInFlight(id)).toBe(1);
  });

  it('do not limit a disabled endpoint, whose deliveries end unsent', () => {
    circuits.loaded([loaded({ consecutive_failures: 140, endpoint_status: 'disabled' })], performance.now());
    expect(circuits.maxInFlight(id)).toBe(Number.POSITIVE_INFINITY);
    circuits.update([report({ consecutive_failures: 140, disabledReason: 'gone: it answered 410 Gone' })]);
    expect(circuits.maxInFlight(id)).toBe(Number.POSITIVE_INFINITY);
  });

  it('are read after a take-over: the open ones of held shards', async () => {
    const elsewhere = await world.addEndpoint({ shard: 8 });
    await pause(31_000);
    await pause(31_000, elsewhere);
    expect(await circuits.refresh()).toEqual([id]);
    expect([circuits.isOpen(id), circuits.isOpen(elsewhere)]).toEqual([true, false]);
    await pause(null);
    expect(await circuits.refresh()).toEqual([]);
    expect(circuits.isOpen(id)).toBe(true);
    circuits.invalidate();
    expect(await circuits.refresh()).toEqual([]);
    expect(circuits.isOpen(id)).toBe(false);
  });

  it('follow an outcome that was written during a read', async () => {
    const reading = circuits.refresh();
    circuits.update([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    expect(await reading).toEqual([id]);

    await pause(31_000);
    circuits.invalidate();
    const readingAgain = circuits.refresh();
    circuits.update([report({ consecutive_failures: 21, pauses: 2, paused_until: 91_000 })]);
    await readingAgain;
    now = 90_999;
    expect(circuits.isOpen(id)).toBe(true);
  });

  it('are read again after a read that failed', async () => {
    await pause(31_000);
    const { sequelize } = world.db;
    const { query } = sequelize;
    sequelize.query = () => Promise.reject(new Error('no connection'));
    await expect(circuits.refresh()).rejects.toThrow('no connection');
    sequelize.query = query;
    expect(await circuits.refresh()).toEqual([id]);
  });

  it('of shards that another process took over are forgotten', async () => {
    const elsewhere = await world.addEndpoint({ shard: 8 });
    circuits.failed(elsewhere);
    expect(circuits.maxInFlight(elsewhere)).toBe(19);
    circuits.invalidate();
    expect(circuits.maxInFlight(elsewhere)).toBe(Number.POSITIVE_INFINITY);
  });
});
