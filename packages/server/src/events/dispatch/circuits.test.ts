import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../db/sql.ts';
import { HEALTHY } from '../endpoints/circuit.ts';
import type { EndpointReport } from '../endpoints/endpoint-health.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';
import { createWorld, type World } from '../world.fixture.ts';
import { FailingEndpoints } from './circuits.ts';

let world: World;
let now: number;
let failing: FailingEndpoints;
let id: string;

beforeEach(async () => {
  world = await createWorld();
  id = await world.addEndpoint({ shard: 7 });
  now = 1_000;
  failing = new FailingEndpoints({ db: world.db, now: () => now, isOurs: (shard) => shard === 7 });
});
afterEach(() => world.close());

const report = (state: Partial<EndpointReport>): EndpointReport => ({ ...HEALTHY, id, disabledReason: null, ...state });
const loaded = (columns: Partial<LoadedDelivery>): LoadedDelivery =>
  ({ endpoint_id: id, endpoint_status: 'enabled', consecutive_failures: 0, ...columns }) as LoadedDelivery;
const pause = (until: number | null, endpointId = id) =>
  execute(world.db, 'UPDATE webhook_endpoints SET paused_until = :until WHERE id = :endpointId', { until, endpointId });

describe('what is known of endpoints that fail', () => {
  it('holds nothing back of one that does not', () => {
    expect(failing.mostUnderWay(id)).toBe(Number.POSITIVE_INFINITY);
    expect(failing.isFailing(loaded({}))).toBe(false);
  });

  it('lets no more be under way than it takes to a pause, written down or not', () => {
    for (let i = 0; i < 12; i++) failing.failed(id);
    expect(failing.mostUnderWay(id)).toBe(8);
    failing.learn([report({ consecutive_failures: 12 })]);
    for (let i = 0; i < 12; i++) failing.failureRecorded(id);
    expect(failing.mostUnderWay(id)).toBe(8);
    expect(failing.isFailing(loaded({}))).toBe(true);
    for (let i = 0; i < 8; i++) failing.failed(id);
    expect(failing.mostUnderWay(id)).toBe(0);
    failing.learn([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    for (let i = 0; i < 8; i++) failing.failureRecorded(id);
    expect([failing.isPaused(id), failing.mostUnderWay(id)]).toEqual([true, 0]);
  });

  it('lets one be tried after a pause, and another one only when it is known what came of it', () => {
    failing.learn([report({ consecutive_failures: 20, pauses: 1, paused_until: 31_000 })]);
    now = 31_000;
    expect([failing.isPaused(id), failing.mostUnderWay(id)]).toEqual([false, 1]);
    failing.failed(id);
    expect(failing.mostUnderWay(id)).toBe(0);
    failing.learn([report({ consecutive_failures: 21, pauses: 2, paused_until: 91_000 })]);
    failing.failureRecorded(id);
    now = 91_000;
    expect(failing.mostUnderWay(id)).toBe(1);
    failing.learn([report({})]);
    expect(failing.mostUnderWay(id)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is what a load shows, unless that was read before the last outcome was written', () => {
    failing.loaded([loaded({ consecutive_failures: 15 })], performance.now());
    expect(failing.mostUnderWay(id)).toBe(5);
    failing.loaded([loaded({ consecutive_failures: 0 })], performance.now());
    expect(failing.mostUnderWay(id)).toBe(Number.POSITIVE_INFINITY);
    const before = performance.now();
    failing.learn([report({ consecutive_failures: 19 })]);
    failing.loaded([loaded({ consecutive_failures: 15 })], before);
    expect(failing.mostUnderWay(id)).toBe(1);
  });

  it('holds nothing back of one that was disabled: what is due to it ends unsent', () => {
    failing.loaded([loaded({ consecutive_failures: 140, endpoint_status: 'disabled' })], performance.now());
    expect(failing.mostUnderWay(id)).toBe(Number.POSITIVE_INFINITY);
    failing.learn([report({ consecutive_failures: 140, disabledReason: 'gone: it answered 410 Gone' })]);
    expect(failing.mostUnderWay(id)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is read where shards were won, of those that are paused and ours', async () => {
    const elsewhere = await world.addEndpoint({ shard: 8 });
    await pause(31_000);
    await pause(31_000, elsewhere);
    expect(await failing.look()).toEqual([id]);
    expect([failing.isPaused(id), failing.isPaused(elsewhere)]).toEqual([true, false]);
    await pause(null);
    expect(await failing.look()).toEqual([]);
    expect(failing.isPaused(id)).toBe(true);
    failing.forget();
    expect(await failing.look()).toEqual([]);
    expect(failing.isPaused(id)).toBe(false);
  });
});
