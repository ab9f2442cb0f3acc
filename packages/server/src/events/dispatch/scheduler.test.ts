import { describe, expect, it } from 'vitest';
import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import type { AttemptResult } from './adaptive-limits.ts';
import type { CircuitLimits, ConcurrencyLimits } from './concurrency.ts';
import type { Job } from './endpoint-queue.ts';
import { Scheduler } from './scheduler.ts';

/** An endpoint `tenant/name` belongs to that tenant, any other to a separate one. */
const row = (endpoint: string, at: number, shard = 0): QueuedDelivery => ({
  tenant_id: endpoint.split('/')[0] ?? '',
  id: `${endpoint}${String(at).padStart(4, '0')}`,
  endpoint_id: endpoint,
  scheduled_at: at,
  queue_shard: shard,
});
const rows = (endpoint: string, count: number, shard = 0) =>
  Array.from({ length: count }, (_, index) => row(endpoint, index, shard));
const job = (delivery: QueuedDelivery, loadedAt = 0): Job => ({
  delivery: delivery as LoadedDelivery,
  token: 1,
  loadedAt,
});

const CLOSED: CircuitLimits = { isOpen: () => false, maxInFlight: () => Number.POSITIVE_INFINITY };
const GOOD: AttemptResult = { succeeded: true, durationMs: 5 };
const BAD: AttemptResult = { succeeded: false, durationMs: 10_000 };

function newScheduler(limits: ConcurrencyLimits, circuits: CircuitLimits = CLOSED): Scheduler {
  return new Scheduler(limits, circuits);
}

/** Ends a started delivery and records its outcome. */
function end(scheduler: Scheduler, one: Job, result: AttemptResult = GOOD): void {
  scheduler.finish(one, result);
  scheduler.recorded(one.delivery, true);
}

/** Gives each endpoint recent successes. */
function prove(scheduler: Scheduler, ...endpoints: string[]): void {
  for (const endpoint of endpoints) {
    for (let n = 0; n < 3; n++) {
      scheduler.queues.offer([row(endpoint, 9000 + n)], false);
      load(scheduler);
      for (const one of startAll(scheduler)) end(scheduler, one);
    }
  }
}

const endpointsOf = (jobs: readonly Job[]): string[] => jobs.map(({ delivery }) => delivery.endpoint_id);

function load(scheduler: Scheduler, max = 100): QueuedDelivery[] {
  const picked = scheduler.pick(max);
  scheduler.loaded(
    picked,
    picked.map((delivery) => job(delivery)),
  );
  return picked;
}

function startAll(scheduler: Scheduler): Job[] {
  const started: Job[] = [];
  for (let next = scheduler.start(); next; next = scheduler.start()) started.push(next);
  return started;
}

describe('the scheduler', () => {
  it('loads round robin over the endpoints, each endpoint in order', () => {
    const scheduler = newScheduler({ perEndpoint: 4, inFlight: 100 });
    scheduler.queues.offer([...rows('a', 9), ...rows('b', 2)], false);
    scheduler.queues.offer(rows('c', 9), false);
    expect(scheduler.pick(6).map(({ id }) => id)).toEqual(['a0000', 'b0000', 'c0000', 'a0001', 'b0001', 'c0001']);
  });

  it('starts the next pick with the endpoints that the last one left out', () => {
    const scheduler = newScheduler({ perEndpoint: 4, inFlight: 100 });
    for (const endpoint of ['a', 'b', 'c', 'd']) scheduler.queues.offer(rows(endpoint, 9), false);
    expect(load(scheduler, 2).map(({ endpoint_id: id }) => id)).toEqual(['a', 'b']);
    expect(load(scheduler, 2).map(({ endpoint_id: id }) => id)).toEqual(['c', 'd']);
  });

  it('respects the limits of in-flight deliveries, for one endpoint and in total', () => {
    const scheduler = newScheduler({ perEndpoint: 2, inFlight: 6 });
    const endpoints = ['a', 'b', 'c', 'd', 'e'];
    prove(scheduler, ...endpoints);
    for (const endpoint of ['a', 'b']) scheduler.queues.offer(rows(endpoint, 9), false);
    load(scheduler);
    expect(endpointsOf(startAll(scheduler))).toEqual(['a', 'b', 'a', 'b']);
    for (const endpoint of ['c', 'd', 'e']) scheduler.queues.offer(rows(endpoint, 9), false);
    load(scheduler);
    expect(endpointsOf(startAll(scheduler))).toEqual(['c', 'd']);
  });

  it('never hands out a delivery twice, as long as a read may still return it', () => {
    const scheduler = newScheduler({ perEndpoint: 9, inFlight: 9 });
    scheduler.queues.offer(rows('a', 1), false);
    scheduler.queues.offer(rows('a', 1), false);
    expect(load(scheduler)).toHaveLength(1);
    for (const one of startAll(scheduler)) {
      scheduler.queues.offer(rows('a', 1), false);
      scheduler.finish(one, GOOD);
      scheduler.queues.offer(rows('a', 1), false);
      scheduler.recorded(one.delivery, true);
    }
    scheduler.queues.offer(rows('a', 1), false);
    scheduler.forgetEnded();
    scheduler.queues.offer(rows('a', 1), false);
    expect(load(scheduler)).toHaveLength(0);
    scheduler.forgetEnded();
    scheduler.queues.offer(rows('a', 1), false);
    expect(load(scheduler)).toHaveLength(1);
  });

  it('orders a late commit by its due time', () => {
    const scheduler = newScheduler({ perEndpoint: 9, inFlight: 9 });
    scheduler.queues.offer([row('a', 5), row('a', 7)], false);
    scheduler.queues.offer([row('a', 6), row('a', 1)], false);
    expect(scheduler.pick(9).map((one) => one.scheduled_at)).toEqual([1, 5, 6, 7]);
  });

  it('prefetches nothing for a hanging endpoint, and more for a fast one', () => {
    const scheduler = newScheduler({ perEndpoint: 2, inFlight: 100 });
    scheduler.queues.offer([...rows('hung', 200), ...rows('fast', 200)], false);
    expect(load(scheduler)).toHaveLength(4);
    const loaded: string[][] = [];
    const finish = (one: Job): void => {
      if (one.delivery.endpoint_id !== 'hung') end(scheduler, one);
    };
    for (const one of startAll(scheduler)) finish(one);
    for (let i = 0; i < 4; i++) {
      loaded.push(load(scheduler).map(({ endpoint_id: endpoint }) => endpoint));
      for (let one = scheduler.start(); one; one = scheduler.start()) finish(one);
    }
    expect(loaded.flat()).not.toContain('hung');
    expect(loaded.map(({ length }) => length)).toEqual([6, 14, 30, 62]);
  });

  it('refills an endpoint only while the database may hold more deliveries', () => {
    const scheduler = newScheduler({ perEndpoint: 2, inFlight: 100 });
    scheduler.queues.offer(rows('a', 2), true);
    expect(scheduler.queues.toRefill(9)).toEqual([]);
    load(scheduler);
    const started = startAll(scheduler);
    expect(scheduler.queues.toRefill(9)).toEqual([]);
    for (const one of started) scheduler.finish(one, GOOD);
    expect(scheduler.queues.toRefill(9)).toEqual([{ shard: 0, endpointId: 'a', concurrencyLimit: 2, held: 2 }]);
    scheduler.queues.refilled(0, 'a', false);
    expect(scheduler.queues.toRefill(9)).toEqual([]);
  });

  it('forgets the deliveries of a lost shard that are not in flight, and counts the others', () => {
    const scheduler = newScheduler({ perEndpoint: 1, inFlight: 100 });
    scheduler.queues.offer([...rows('a', 5, 1), ...rows('b', 1, 2)], false);
    load(scheduler);
    const started = startAll(scheduler);
    expect([scheduler.busyIn(1), scheduler.busyIn(2), scheduler.size]).toEqual([1, 1, 6]);
    scheduler.queues.keepOnly((shard) => shard === 2);
    expect([scheduler.busyIn(1), scheduler.busyIn(2), scheduler.size]).toEqual([1, 1, 2]);
    for (const one of started) end(scheduler, one);
    expect([scheduler.busyIn(1), scheduler.busyIn(2), scheduler.size, scheduler.inFlight]).toEqual([0, 0, 0, 0]);
  });

  it('unloads stale jobs that cannot start', () => {
    const scheduler = newScheduler({ perEndpoint: 1, inFlight: 100 });
    scheduler.queues.offer(rows('a', 9), false);
    load(scheduler);
    for (const one of startAll(scheduler)) scheduler.finish(one, GOOD);
    const ahead = load(scheduler);
    startAll(scheduler);
    scheduler.unload(0);
    expect(scheduler.busyIn(0)).toBe(1 + ahead.length);
    scheduler.unload(1);
    expect(scheduler.busyIn(0)).toBe(2);
    expect(scheduler.size).toBe(9);
  });

  it.each(['put back when they start', 'unloaded'])('keeps the order when old jobs are %s', (way) => {
    const scheduler = newScheduler({ perEndpoint: 1, inFlight: 100 });
    scheduler.queues.offer(rows('a', 60), false);
    const sent: string[] = [];
    for (let now = 0; sent.length < 60; now += 400) {
      const picked = scheduler.pick(100);
      scheduler.loaded(
        picked,
        picked.map((delivery) => job(delivery, now)),
      );
      let one = scheduler.start();
      while (one && one.loadedAt < now - 1000) {
        scheduler.putBack(one);
        one = scheduler.start();
      }
      if (!one) continue;
      if (way === 'unloaded') scheduler.unload(now - 900);
      sent.push(one.delivery.id);
      end(scheduler, one);
    }
    expect(sent).toEqual(rows('a', 60).map(({ id }) => id));
  });

  it('appends recent deliveries, but not before older ones in the database', () => {
    const scheduler = newScheduler({ perEndpoint: 9, inFlight: 9 });
    scheduler.queues.offer(rows('all', 1), false);
    scheduler.queues.offer(rows('some', 1), true);
    scheduler.queues.offerRecent([row('all', 50), row('some', 50), row('new', 50)], true);
    expect(scheduler.pick(9).map(({ id }) => id)).toEqual(['all0000', 'some0000', 'new0050', 'all0050']);
    scheduler.queues.offerRecent([row('all', 51), row('unseen', 50)], false);
    expect(scheduler.pick(9).map(({ id }) => id)).toEqual(['all0051']);
    expect(scheduler.queues.toRefill(9).map(({ endpointId }) => endpointId)).toEqual(['some', 'unseen']);
  });
});

describe('a refill', () => {
  it('asks for failing endpoints last, and for few of them', () => {
    const scheduler = newScheduler({ perEndpoint: 9, inFlight: 99 });
    const dead = Array.from({ length: 9 }, (_, n) => `dead${n}`);
    for (const endpoint of dead) {
      scheduler.queues.offer(rows(endpoint, 1), true);
      load(scheduler);
      for (const one of startAll(scheduler)) end(scheduler, one, BAD);
    }
    scheduler.queues.offerRecent([row('new', 50), row('other', 50)], false);
    expect(scheduler.queues.toRefill(99).map(({ endpointId }) => endpointId)).toEqual([
      'new',
      'other',
      ...dead.slice(0, 4),
    ]);
    expect(scheduler.queues.toRefill(1).map(({ endpointId }) => endpointId)).toEqual(['new']);
  });
});

describe('concurrency', () => {
  it('grows with the successes of an endpoint, and shrinks to one with its failures', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 500 });
    scheduler.queues.offer(rows('a', 200), false);
    const widths: number[] = [];
    for (const result of [GOOD, GOOD, GOOD, BAD, BAD, BAD, BAD, BAD, GOOD]) {
      load(scheduler);
      const started = startAll(scheduler);
      widths.push(started.length);
      for (const [index, one] of started.entries()) {
        if (index === 0) end(scheduler, one, result);
        else scheduler.putBack(one);
      }
    }
    expect(widths).toEqual([4, 8, 16, 16, 8, 4, 2, 1, 1]);
  });

  it('is left to other tenants when many proven endpoints of one tenant hang', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 100 });
    const hanging = Array.from({ length: 20 }, (_, n) => `hanging/${n}`);
    prove(scheduler, ...hanging, 'good/1', 'good/2');
    for (const endpoint of hanging) scheduler.queues.offer(rows(endpoint, 30), false);
    loadAndStartAll(scheduler);
    expect(scheduler.inFlight).toBe(50);
    scheduler.queues.offer([...rows('good/1', 4), ...rows('good/2', 4), ...rows('new/1', 4)], false);
    expect(loadAndStartAll(scheduler)).toHaveLength(12);
  });

  it('is left to new endpoints when a tenant has only unproven ones', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 100 });
    prove(scheduler, 'good/1');
    for (let n = 0; n < 200; n++) scheduler.queues.offer(rows(`dead/${n}`, 30), false);
    loadAndStartAll(scheduler);
    expect(scheduler.inFlight).toBe(25);
    scheduler.queues.offer([...rows('good/1', 16), ...rows('new/1', 4)], false);
    expect(loadAndStartAll(scheduler)).toHaveLength(20);
  });

  it('is at least half free for proven endpoints when all others are dead', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 100 });
    prove(scheduler, 'good');
    for (let n = 0; n < 200; n++) scheduler.queues.offer(rows(`dead${n}`, 3), false);
    loadAndStartAll(scheduler);
    expect(scheduler.inFlight).toBe(50);
    scheduler.queues.offer(rows('good', 16), false);
    expect(endpointsOf(loadAndStartAll(scheduler))).toEqual(Array.from({ length: 16 }, () => 'good'));
  });

  it('allows each endpoint of a tenant one delivery while others of the tenant hang', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 100 });
    const hanging = Array.from({ length: 20 }, (_, n) => `t/${n}`);
    prove(scheduler, ...hanging, 't/good');
    for (const endpoint of hanging) scheduler.queues.offer(rows(endpoint, 30), false);
    loadAndStartAll(scheduler);
    scheduler.queues.offer(rows('t/good', 9), false);
    expect(endpointsOf(loadAndStartAll(scheduler))).toEqual(['t/good']);
  });

  it('goes to a few failing endpoints for each load, and to the next ones with the next load', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 500 });
    const failing = Array.from({ length: 10 }, (_, n) => `failing${n}`);
    for (const endpoint of failing) scheduler.queues.offer(rows(endpoint, 9), false);
    load(scheduler);
    for (const one of startAll(scheduler)) end(scheduler, one, BAD);
    scheduler.queues.offer(rows('new', 1), false);
    const loads = [load(scheduler), load(scheduler), load(scheduler)].map((picked) =>
      picked.map((one) => one.endpoint_id),
    );
    expect(loads.map((endpoints) => endpoints.toSorted())).toEqual([
      [...failing.slice(0, 4), 'new'],
      failing.slice(4, 8),
      failing.slice(8),
    ]);
  });

  it('is not given to failing endpoints while some failures are unrecorded', () => {
    const scheduler = newScheduler({ perEndpoint: 16, inFlight: 100 });
    prove(scheduler, 'good');
    for (const endpoint of ['dead', 'dead2']) scheduler.queues.offer(rows(endpoint, 30), false);
    const ended = loadAndStartAll(scheduler);
    for (const one of ended) scheduler.finish(one, BAD);
    scheduler.queues.offer([...rows('good', 3), ...rows('new', 3)], false);
    expect(endpointsOf(loadAndStartAll(scheduler)).toSorted()).toEqual(['good', 'good', 'good', 'new', 'new', 'new']);
    for (const one of ended.slice(0, 4)) scheduler.recorded(one.delivery, true);
    expect(loadAndStartAll(scheduler)).toEqual([]);
    for (const one of ended.slice(4)) scheduler.recorded(one.delivery, true);
    expect(endpointsOf(loadAndStartAll(scheduler))).toEqual(['dead', 'dead2']);
  });

  it('is free again when deliveries end', () => {
    const scheduler = newScheduler({ perEndpoint: 4, inFlight: 20 });
    for (let n = 0; n < 30; n++) scheduler.queues.offer(rows(`dead/${n}`, 2), false);
    let ended = 0;
    for (let under = loadAndStartAll(scheduler); under.length > 0; under = loadAndStartAll(scheduler)) {
      for (const one of under) {
        end(scheduler, one, BAD);
        ended++;
      }
    }
    expect([ended, scheduler.inFlight, scheduler.size, scheduler.busyIn(0)]).toEqual([60, 0, 0, 0]);
  });
});

function loadAndStartAll(scheduler: Scheduler): Job[] {
  const started: Job[] = [];
  for (let before = -1; before < started.length; ) {
    before = started.length;
    load(scheduler);
    started.push(...startAll(scheduler));
  }
  return started;
}

describe('the scheduler with circuits', () => {
  const newCircuits = () => {
    const circuits = {
      most: Number.POSITIVE_INFINITY,
      isOpen: () => circuits.most === 0,
      maxInFlight: () => circuits.most,
    };
    return circuits;
  };
  const limits = { perEndpoint: 16, inFlight: 100 };

  it('respects their limit, and continues when a recorded outcome raised it', () => {
    const circuits = newCircuits();
    const scheduler = newScheduler(limits, { isOpen: () => false, maxInFlight: () => circuits.most });
    prove(scheduler, 'a');
    scheduler.queues.offer(rows('a', 9), false);
    load(scheduler);
    circuits.most = 2;
    const [first, ...others] = startAll(scheduler);
    expect(others).toHaveLength(1);
    circuits.most = 0;
    for (const one of [first, ...others]) if (one) scheduler.finish(one, GOOD);
    expect(startAll(scheduler)).toEqual([]);
    circuits.most = 5;
    if (first) scheduler.recorded(first.delivery, true);
    expect(startAll(scheduler)).toHaveLength(5);
  });

  it('forgets the deliveries of an open circuit, and finds them again afterwards', () => {
    const circuits = newCircuits();
    const scheduler = newScheduler(limits, circuits);
    circuits.most = 16;
    scheduler.queues.offer(rows('a', 9), false);
    const picked = scheduler.pick(2);
    circuits.most = 0;
    scheduler.queues.release('a');
    expect(scheduler.size).toBe(2);
    scheduler.loaded(
      picked,
      picked.map((delivery) => job(delivery)),
    );
    scheduler.queues.offer(rows('a', 9), true);
    expect([
      scheduler.size,
      scheduler.busyIn(0),
      startAll(scheduler),
      scheduler.queues.toRefill(9),
      scheduler.pick(9),
    ]).toEqual([0, 0, [], [], []]);
    circuits.most = 16;
    scheduler.queues.offer(rows('a', 9), false);
    expect(scheduler.size).toBe(9);
    const again = scheduler.pick(2);
    circuits.most = 0;
    scheduler.notLoaded(again);
    scheduler.queues.release('a');
    expect([scheduler.size, scheduler.busyIn(0)]).toEqual([0, 0]);
  });
});
