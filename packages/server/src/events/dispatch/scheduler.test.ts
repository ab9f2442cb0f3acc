import { describe, expect, it } from 'vitest';
import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import type { Attempted } from './adaptive-limits.ts';
import type { Job } from './endpoint-queue.ts';
import { Lanes } from './endpoint-queues.ts';

/** An endpoint `tenant/name` belongs to that tenant, any other to one of its own. */
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

const GOOD: Attempted = { succeeded: true, durationMs: 5 };
const BAD: Attempted = { succeeded: false, durationMs: 10_000 };

/** What becomes of a delivery that was given out. */
function end(lanes: Lanes, one: Job, attempted: Attempted = GOOD): void {
  lanes.finish(one, attempted);
  lanes.recorded(one.delivery, true);
}

/** Lets each endpoint show that it is good. */
function prove(lanes: Lanes, ...endpoints: string[]): void {
  for (const endpoint of endpoints) {
    for (let n = 0; n < 3; n++) {
      lanes.offer([row(endpoint, 9000 + n)], false);
      load(lanes);
      for (const one of startAll(lanes)) end(lanes, one);
    }
  }
}

const endpointsOf = (jobs: readonly Job[]): string[] => jobs.map(({ delivery }) => delivery.endpoint_id);

function load(lanes: Lanes, max = 100): QueuedDelivery[] {
  const picked = lanes.pick(max);
  lanes.loaded(
    picked,
    picked.map((delivery) => job(delivery)),
  );
  return picked;
}

function startAll(lanes: Lanes): Job[] {
  const started: Job[] = [];
  for (let next = lanes.start(); next; next = lanes.start()) started.push(next);
  return started;
}

describe('lanes', () => {
  it('give each endpoint its turn, and each its deliveries in order', () => {
    const lanes = new Lanes({ perEndpoint: 4, inFlight: 100 });
    lanes.offer([...rows('a', 9), ...rows('b', 2)], false);
    lanes.offer(rows('c', 9), false);
    expect(lanes.pick(6).map(({ id }) => id)).toEqual(['a0000', 'b0000', 'c0000', 'a0001', 'b0001', 'c0001']);
  });

  it('begin the next pick with the endpoints that the last one left out', () => {
    const lanes = new Lanes({ perEndpoint: 4, inFlight: 100 });
    for (const endpoint of ['a', 'b', 'c', 'd']) lanes.offer(rows(endpoint, 9), false);
    expect(load(lanes, 2).map(({ endpoint_id: id }) => id)).toEqual(['a', 'b']);
    expect(load(lanes, 2).map(({ endpoint_id: id }) => id)).toEqual(['c', 'd']);
  });

  it('have no more under way to one endpoint, and in all, than the limits say', () => {
    const lanes = new Lanes({ perEndpoint: 2, inFlight: 6 });
    const endpoints = ['a', 'b', 'c', 'd', 'e'];
    prove(lanes, ...endpoints);
    for (const endpoint of ['a', 'b']) lanes.offer(rows(endpoint, 9), false);
    load(lanes);
    expect(endpointsOf(startAll(lanes))).toEqual(['a', 'b', 'a', 'b']);
    for (const endpoint of ['c', 'd', 'e']) lanes.offer(rows(endpoint, 9), false);
    load(lanes);
    expect(endpointsOf(startAll(lanes))).toEqual(['c', 'd']);
  });

  it('never give out a delivery twice, as long as a read may still show it', () => {
    const lanes = new Lanes({ perEndpoint: 9, inFlight: 9 });
    lanes.offer(rows('a', 1), false);
    lanes.offer(rows('a', 1), false);
    expect(load(lanes)).toHaveLength(1);
    for (const one of startAll(lanes)) {
      lanes.offer(rows('a', 1), false);
      lanes.finish(one, GOOD);
      lanes.offer(rows('a', 1), false);
      lanes.recorded(one.delivery, true);
    }
    lanes.offer(rows('a', 1), false);
    lanes.forget();
    lanes.offer(rows('a', 1), false);
    expect(load(lanes)).toHaveLength(0);
    lanes.forget();
    lanes.offer(rows('a', 1), false);
    expect(load(lanes)).toHaveLength(1);
  });

  it('put a late commit where it belongs', () => {
    const lanes = new Lanes({ perEndpoint: 9, inFlight: 9 });
    lanes.offer([row('a', 5), row('a', 7)], false);
    lanes.offer([row('a', 6), row('a', 1)], false);
    expect(lanes.pick(9).map((one) => one.scheduled_at)).toEqual([1, 5, 6, 7]);
  });

  it('load nothing for an endpoint that answers nothing, and load ahead for one that is fast', () => {
    const lanes = new Lanes({ perEndpoint: 2, inFlight: 100 });
    lanes.offer([...rows('hung', 200), ...rows('fast', 200)], false);
    expect(load(lanes)).toHaveLength(4);
    const loaded: string[][] = [];
    const finish = (one: Job): void => {
      if (one.delivery.endpoint_id !== 'hung') end(lanes, one);
    };
    for (const one of startAll(lanes)) finish(one);
    for (let i = 0; i < 4; i++) {
      loaded.push(load(lanes).map(({ endpoint_id: endpoint }) => endpoint));
      for (let one = lanes.start(); one; one = lanes.start()) finish(one);
    }
    expect(loaded.flat()).not.toContain('hung');
    expect(loaded.map(({ length }) => length)).toEqual([6, 14, 30, 62]);
  });

  it('ask for more of an endpoint only while the queue may have more of it', () => {
    const lanes = new Lanes({ perEndpoint: 2, inFlight: 100 });
    lanes.offer(rows('a', 2), true);
    expect(lanes.hungry(9)).toEqual([]);
    load(lanes);
    const started = startAll(lanes);
    expect(lanes.hungry(9)).toEqual([]);
    for (const one of started) lanes.finish(one, GOOD);
    expect(lanes.hungry(9)).toEqual([{ shard: 0, endpointId: 'a', width: 2, known: 2 }]);
    lanes.fed(0, 'a', false);
    expect(lanes.hungry(9)).toEqual([]);
  });

  it('let go of what is not under way in a shard that is lost, and know when it is quiet', () => {
    const lanes = new Lanes({ perEndpoint: 1, inFlight: 100 });
    lanes.offer([...rows('a', 5, 1), ...rows('b', 1, 2)], false);
    load(lanes);
    const started = startAll(lanes);
    expect([lanes.busyIn(1), lanes.busyIn(2), lanes.size]).toEqual([1, 1, 6]);
    lanes.keepOnly((shard) => shard === 2);
    expect([lanes.busyIn(1), lanes.busyIn(2), lanes.size]).toEqual([1, 1, 2]);
    for (const one of started) end(lanes, one);
    expect([lanes.busyIn(1), lanes.busyIn(2), lanes.size, lanes.running]).toEqual([0, 0, 0, 0]);
  });

  it('unload what was loaded long ago and cannot begin', () => {
    const lanes = new Lanes({ perEndpoint: 1, inFlight: 100 });
    lanes.offer(rows('a', 9), false);
    load(lanes);
    for (const one of startAll(lanes)) lanes.finish(one, GOOD);
    const ahead = load(lanes);
    startAll(lanes);
    lanes.unload(0);
    expect(lanes.busyIn(0)).toBe(1 + ahead.length);
    lanes.unload(1);
    expect(lanes.busyIn(0)).toBe(2);
    expect(lanes.size).toBe(9);
  });

  it('take what was found of late at its end, but not past what the queue still has of its endpoint', () => {
    const lanes = new Lanes({ perEndpoint: 9, inFlight: 9 });
    lanes.offer(rows('all', 1), false);
    lanes.offer(rows('some', 1), true);
    lanes.offerLate([row('all', 50), row('some', 50), row('new', 50)], true);
    expect(lanes.pick(9).map(({ id }) => id)).toEqual(['all0000', 'some0000', 'new0050', 'all0050']);
    lanes.offerLate([row('all', 51), row('unseen', 50)], false);
    expect(lanes.pick(9).map(({ id }) => id)).toEqual(['all0051']);
    expect(lanes.hungry(9).map(({ endpointId }) => endpointId)).toEqual(['some', 'unseen']);
  });
});

describe('lanes that ask for more', () => {
  it('come before those that fail, of which one load takes few', () => {
    const lanes = new Lanes({ perEndpoint: 9, inFlight: 99 });
    const dead = Array.from({ length: 9 }, (_, n) => `dead${n}`);
    for (const endpoint of dead) {
      lanes.offer(rows(endpoint, 1), true);
      load(lanes);
      for (const one of startAll(lanes)) end(lanes, one, BAD);
    }
    lanes.offerLate([row('new', 50), row('other', 50)], false);
    expect(lanes.hungry(99).map(({ endpointId }) => endpointId)).toEqual(['new', 'other', ...dead.slice(0, 4)]);
    expect(lanes.hungry(1).map(({ endpointId }) => endpointId)).toEqual(['new']);
  });
});

describe('the places of the lanes', () => {
  it('grow with the successes of an endpoint, and shrink to one with its failures', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 500 });
    lanes.offer(rows('a', 200), false);
    const widths: number[] = [];
    for (const attempted of [GOOD, GOOD, GOOD, BAD, BAD, BAD, BAD, BAD, GOOD]) {
      load(lanes);
      const started = startAll(lanes);
      widths.push(started.length);
      for (const [index, one] of started.entries()) {
        if (index === 0) end(lanes, one, attempted);
        else lanes.putBack(one);
      }
    }
    expect(widths).toEqual([4, 8, 16, 16, 8, 4, 2, 1, 1]);
  });

  it('are free for others however many endpoints of a tenant hang at once that were good before', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 100 });
    const hanging = Array.from({ length: 20 }, (_, n) => `hanging/${n}`);
    prove(lanes, ...hanging, 'good/1', 'good/2');
    for (const endpoint of hanging) lanes.offer(rows(endpoint, 30), false);
    loadAndStartAll(lanes);
    expect(lanes.running).toBe(50);
    lanes.offer([...rows('good/1', 4), ...rows('good/2', 4), ...rows('new/1', 4)], false);
    expect(loadAndStartAll(lanes)).toHaveLength(12);
  });

  it('are kept from new endpoints by no tenant of which nothing good is known', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 100 });
    prove(lanes, 'good/1');
    for (let n = 0; n < 200; n++) lanes.offer(rows(`dead/${n}`, 30), false);
    loadAndStartAll(lanes);
    expect(lanes.running).toBe(25);
    lanes.offer([...rows('good/1', 16), ...rows('new/1', 4)], false);
    expect(loadAndStartAll(lanes)).toHaveLength(20);
  });

  it('are for the half free for good endpoints when all others are dead, whosever they are', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 100 });
    prove(lanes, 'good');
    for (let n = 0; n < 200; n++) lanes.offer(rows(`dead${n}`, 3), false);
    loadAndStartAll(lanes);
    expect(lanes.running).toBe(50);
    lanes.offer(rows('good', 16), false);
    expect(endpointsOf(loadAndStartAll(lanes))).toEqual(Array.from({ length: 16 }, () => 'good'));
  });

  it('go to each endpoint of a tenant once, whatever hangs elsewhere in it', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 100 });
    const hanging = Array.from({ length: 20 }, (_, n) => `t/${n}`);
    prove(lanes, ...hanging, 't/good');
    for (const endpoint of hanging) lanes.offer(rows(endpoint, 30), false);
    loadAndStartAll(lanes);
    lanes.offer(rows('t/good', 9), false);
    expect(endpointsOf(loadAndStartAll(lanes))).toEqual(['t/good']);
  });

  it('are given to a few failing endpoints at a time, and to the next ones the next time', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 500 });
    const failing = Array.from({ length: 10 }, (_, n) => `failing${n}`);
    for (const endpoint of failing) lanes.offer(rows(endpoint, 9), false);
    load(lanes);
    for (const one of startAll(lanes)) end(lanes, one, BAD);
    lanes.offer(rows('new', 1), false);
    const loads = [load(lanes), load(lanes), load(lanes)].map((picked) => picked.map((one) => one.endpoint_id));
    expect(loads.map((endpoints) => endpoints.toSorted())).toEqual([
      [...failing.slice(0, 4), 'new'],
      failing.slice(4, 8),
      failing.slice(8),
    ]);
  });

  it('are not given to failing endpoints while some failures are yet to be written down', () => {
    const lanes = new Lanes({ perEndpoint: 16, inFlight: 100 });
    prove(lanes, 'good');
    for (const endpoint of ['dead', 'dead2']) lanes.offer(rows(endpoint, 30), false);
    const ended = loadAndStartAll(lanes);
    for (const one of ended) lanes.finish(one, BAD);
    lanes.offer([...rows('good', 3), ...rows('new', 3)], false);
    expect(endpointsOf(loadAndStartAll(lanes)).toSorted()).toEqual(['good', 'good', 'good', 'new', 'new', 'new']);
    for (const one of ended.slice(0, 4)) lanes.recorded(one.delivery, true);
    expect(loadAndStartAll(lanes)).toEqual([]);
    for (const one of ended.slice(4)) lanes.recorded(one.delivery, true);
    expect(endpointsOf(loadAndStartAll(lanes))).toEqual(['dead', 'dead2']);
  });

  it('are taken again as those who had them end', () => {
    const lanes = new Lanes({ perEndpoint: 4, inFlight: 20 });
    for (let n = 0; n < 30; n++) lanes.offer(rows(`dead/${n}`, 2), false);
    let ended = 0;
    for (let under = loadAndStartAll(lanes); under.length > 0; under = loadAndStartAll(lanes)) {
      for (const one of under) {
        end(lanes, one, BAD);
        ended++;
      }
    }
    expect([ended, lanes.running, lanes.size, lanes.busyIn(0)]).toEqual([60, 0, 0, 0]);
  });
});

function loadAndStartAll(lanes: Lanes): Job[] {
  const started: Job[] = [];
  for (let before = -1; before < started.length; ) {
    before = started.length;
    load(lanes);
    started.push(...startAll(lanes));
  }
  return started;
}

describe('lanes with a brake', () => {
  const brake = { most: Number.POSITIVE_INFINITY, isPaused: () => brake.most === 0, mostUnderWay: () => brake.most };
  const limits = { perEndpoint: 16, inFlight: 100 };

  it('begin no more than it says, and go on when an outcome is recorded that has loosened it', () => {
    const lanes = new Lanes(limits, { isPaused: () => false, mostUnderWay: () => brake.most });
    prove(lanes, 'a');
    lanes.offer(rows('a', 9), false);
    load(lanes);
    brake.most = 2;
    const [first, ...others] = startAll(lanes);
    expect(others).toHaveLength(1);
    brake.most = 0;
    for (const one of [first, ...others]) if (one) lanes.finish(one, GOOD);
    expect(startAll(lanes)).toEqual([]);
    brake.most = 5;
    if (first) lanes.recorded(first.delivery, true);
    expect(startAll(lanes)).toHaveLength(5);
  });

  it('know nothing of what is due to an endpoint that is paused, and all of it afterwards', () => {
    const lanes = new Lanes(limits, brake);
    brake.most = 16;
    lanes.offer(rows('a', 9), false);
    const picked = lanes.pick(2);
    brake.most = 0;
    lanes.release('a');
    expect(lanes.size).toBe(2);
    lanes.loaded(
      picked,
      picked.map((delivery) => job(delivery)),
    );
    lanes.offer(rows('a', 9), true);
    expect([lanes.size, lanes.busyIn(0), startAll(lanes), lanes.hungry(9), lanes.pick(9)]).toEqual([0, 0, [], [], []]);
    brake.most = 16;
    lanes.offer(rows('a', 9), false);
    expect(lanes.size).toBe(9);
    const again = lanes.pick(2);
    brake.most = 0;
    lanes.notLoaded(again);
    lanes.release('a');
    expect([lanes.size, lanes.busyIn(0)]).toEqual([0, 0]);
  });
});
