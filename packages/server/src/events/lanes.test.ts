import { describe, expect, it } from 'vitest';
import type { Job } from './lane.ts';
import { Lanes } from './lanes.ts';
import type { LoadedDelivery, QueuedDelivery } from './queue.ts';

const row = (endpoint: string, at: number, shard = 0): QueuedDelivery => ({
  tenant_id: 't',
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
    const lanes = new Lanes({ perEndpoint: 3, inFlight: 5 });
    for (const endpoint of ['a', 'b', 'c']) lanes.offer(rows(endpoint, 9), false);
    load(lanes);
    const started = startAll(lanes);
    expect(started.map(({ delivery }) => delivery.endpoint_id)).toEqual(['a', 'b', 'c', 'a', 'b']);
    for (const one of started.slice(0, 1)) lanes.finish(one);
    expect(startAll(lanes)).toHaveLength(1);
  });

  it('never give out a delivery twice, as long as a read may still show it', () => {
    const lanes = new Lanes({ perEndpoint: 9, inFlight: 9 });
    lanes.offer(rows('a', 1), false);
    lanes.offer(rows('a', 1), false);
    expect(load(lanes)).toHaveLength(1);
    for (const one of startAll(lanes)) {
      lanes.offer(rows('a', 1), false);
      lanes.finish(one);
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
      if (one.delivery.endpoint_id === 'hung') return;
      lanes.finish(one);
      lanes.recorded(one.delivery, true);
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
    for (const one of started) lanes.finish(one);
    expect(lanes.hungry(9)).toEqual([{ shard: 0, endpointId: 'a', known: 2 }]);
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
    for (const one of started) {
      lanes.finish(one);
      lanes.recorded(one.delivery, true);
    }
    expect([lanes.busyIn(1), lanes.busyIn(2), lanes.size, lanes.running]).toEqual([0, 0, 0, 0]);
  });

  it('unload what was loaded long ago and cannot begin', () => {
    const lanes = new Lanes({ perEndpoint: 1, inFlight: 100 });
    lanes.offer(rows('a', 9), false);
    load(lanes);
    for (const one of startAll(lanes)) lanes.finish(one);
    const ahead = load(lanes);
    startAll(lanes);
    lanes.unload(0);
    expect(lanes.busyIn(0)).toBe(1 + ahead.length);
    lanes.unload(1);
    expect(lanes.busyIn(0)).toBe(2);
    expect(lanes.size).toBe(9);
  });
});
