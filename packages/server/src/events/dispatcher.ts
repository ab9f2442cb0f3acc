import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Sealer } from '../kernel/seal.ts';
import { createAddressGuard } from './address-guard.ts';
import { attemptDelivery, postponed } from './attempt.ts';
import { createDeliverer } from './deliver.ts';
import { createSecretOpener } from './endpoint-secret.ts';
import type { Resolve } from './guarded-connect.ts';
import { type Job, Lanes } from './lanes.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { SHARDS } from './outbox.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { loadDeliveries, selectDue, selectDueOfEndpoints } from './queue.ts';
import { QueueScanner } from './queue-scanner.ts';

export interface DispatcherOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** CIDR ranges that may be reached though they are not public. */
  readonly allowedCidrs: readonly string[];
  /** The time by which deliveries are due and signed; the database's when absent, so that no machine's clock matters. */
  readonly clock?: Clock | undefined;
  /** How often the queue is looked at without a hint, in ms. */
  readonly pollMs?: number;
  /** How long a shard stays with a dispatcher that is silent, in ms. */
  readonly leaseMs?: number;
  /** Deliveries under way at most: to one endpoint, and in all. */
  readonly perEndpoint?: number;
  readonly inFlight?: number;
  /** How long an attempt may take, in ms. */
  readonly deadlineMs?: number;
  /** How long an outcome waits for others to be written with, in ms. */
  readonly batchMs?: number;
  /** How long `stop` waits for what is under way, in ms. */
  readonly drainMs?: number;
  readonly resolve?: Resolve;
}

/** Sends what is due, at least once. Any number of processes may each have one on the same database. */
export interface Dispatcher {
  start(): void;
  /** A hint that something is due now. */
  wake(): void;
  /** Begins nothing new, waits for what is under way, and hands the queue over to the others. */
  stop(): Promise<void>;
  /** Resolves when nothing is due and nothing under way, in any process. At once when not started. */
  idle(): Promise<void>;
}

const LOAD = 100;
const HUNGRY = 16;
const REFILL = 256;
/** What was loaded longer ago than this, in ms, is loaded again: its endpoint may have changed. */
const FRESH_MS = 1_000;
/** Recorded deliveries are remembered for this long, in ms, and up to twice as long: a replica may show them pending. */
const REMEMBER_MS = 5_000;
const CLOCK_ERROR_MS = 20;
const LONGEST_PAUSE_MS = 5_000;
/** With so many outcomes unwritten nothing new is begun: the database is away or too slow. */
const MAX_UNWRITTEN = 1_000;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { db, log, pollMs = 1_000, leaseMs = 15_000, batchMs = 20, drainMs = 15_000 } = options;
  const owner = `${hostname()
    .slice(0, 20)
    .replace(/[^\w.-]/g, '_')}:${process.pid}:${randomUUID()}`;
  const lanes = new Lanes({ perEndpoint: options.perEndpoint ?? 16, inFlight: options.inFlight ?? 500 });
  const deliverer = createDeliverer({
    guard: createAddressGuard(options.allowedCidrs),
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const leases = new LeaseKeeper({
    db,
    log,
    owner,
    leaseMs,
    isBusy: (shard) => lanes.busyIn(shard) > 0,
    changed() {
      lanes.keepOnly((shard) => leases.tenureOf(shard) !== undefined);
      wake();
    },
  });
  const now = options.clock ?? (() => leases.now());
  // What was made due a moment ago must not wait for the next poll because two clocks differ by a millisecond.
  const dueBy = options.clock ?? (() => leases.now() + CLOCK_ERROR_MS);
  const services = { deliverer, now, openSecret: createSecretOpener(options.sealer) };
  const outcomes = new OutcomeWriter({
    db,
    log,
    owner,
    windowMs: batchMs,
    recorded(batch) {
      for (const { delivery, status } of batch) lanes.recorded(delivery, status !== 'pending');
      leases.quiet();
      signal();
    },
  });
  const scanner = new QueueScanner(db);

  let state: 'new' | 'running' | 'stopping' | 'stopped' = 'new';
  let pumping: Promise<void> = Promise.resolve();
  let isScanWanted = true;
  let signal: () => void = () => undefined;

  function wake(): void {
    isScanWanted = true;
    signal();
  }

  /** The one loop: look for what is due, load it, send it; then sleep until something happens or the poll is due. */
  async function pump(): Promise<void> {
    let nextPoll = 0;
    let nextForget = performance.now() + REMEMBER_MS;
    let pause = 50;
    let held = 0;
    while (state === 'running') {
      // A database in this process answers without letting anything else run: timers and sockets need their turn.
      await nextTurn();
      try {
        const shards = leases.shards();
        if (shards.length < held) lanes.keepOnly((shard) => leases.tenureOf(shard) !== undefined);
        held = shards.length;
        if (performance.now() >= nextForget) {
          lanes.forget();
          nextForget = performance.now() + REMEMBER_MS;
        }
        if ((isScanWanted || performance.now() >= nextPoll) && scanner.mayScan()) {
          isScanWanted = false;
          lanes.unload(performance.now() - FRESH_MS);
          nextPoll = performance.now() + pollMs;
          if (!(await scanner.scan(lanes, shards, dueBy()))) isScanWanted = true;
        }
        const didRefill = await refill();
        const didLoad = await load();
        pause = 50;
        if (didRefill || didLoad) continue;
        const until = isScanWanted ? scanner.nextScanAt : nextPoll;
        await sleep(until - performance.now());
      } catch (error) {
        log.warn({ err: error }, 'the delivery queue could not be read; trying again');
        isScanWanted = true;
        await wait(pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  async function refill(): Promise<boolean> {
    const hungry = lanes.hungry(HUNGRY).map((lane) => ({ ...lane, limit: lane.known + REFILL }));
    if (hungry.length === 0) return false;
    const rows = await selectDueOfEndpoints(db, hungry, dueBy());
    lanes.offer(rows, false);
    const found = Map.groupBy(rows, (row) => row.endpoint_id);
    for (const { shard, endpointId, limit } of hungry) {
      lanes.fed(shard, endpointId, (found.get(endpointId)?.length ?? 0) === limit);
    }
    return rows.length > 0;
  }

  async function load(): Promise<boolean> {
    const picked = outcomes.size < MAX_UNWRITTEN ? lanes.pick(LOAD) : [];
    if (picked.length === 0) return false;
    const tokens = new Map(picked.map(({ queue_shard: shard }) => [shard, leases.tenureOf(shard)?.token]));
    try {
      const rows = await loadDeliveries(db, picked);
      const loadedAt = performance.now();
      const jobs: Job[] = [];
      for (const delivery of rows) {
        const token = tokens.get(delivery.queue_shard);
        if (token !== undefined) jobs.push({ delivery, token, loadedAt });
      }
      lanes.loaded(picked, jobs);
    } catch (error) {
      lanes.notLoaded(picked);
      throw error;
    }
    startReady();
    return true;
  }

  function startReady(): void {
    if (state !== 'running') return;
    for (let job = lanes.start(); job; job = lanes.start()) {
      if (leases.tenureOf(job.delivery.queue_shard)?.token !== job.token) lanes.drop(job);
      else if (performance.now() - job.loadedAt > FRESH_MS) lanes.putBack(job);
      else void send(job);
    }
  }

  async function send(job: Job): Promise<void> {
    const { delivery, token } = job;
    const result = await attemptDelivery(delivery, services).catch((error: unknown) => {
      log.error({ err: error, delivery: delivery.id }, 'a delivery could not be attempted; it is postponed');
      return postponed(now());
    });
    lanes.finish(job);
    outcomes.add({ delivery, token, ...result }, lanes.running === 0);
    startReady();
    signal();
  }

  function sleep(ms: number): Promise<void> {
    if (ms <= 0) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    signal = () => {
      clearTimeout(timer);
      signal = () => undefined;
      resolve();
    };
    return promise;
  }

  return {
    start() {
      if (state !== 'new') return;
      state = 'running';
      leases.start();
      pumping = pump();
    },
    wake,
    async stop() {
      if (state !== 'running') {
        if (state === 'new') await deliverer.close();
        state = 'stopped';
        return;
      }
      state = 'stopping';
      signal();
      await pumping;
      leases.leave();
      const giveUpAt = performance.now() + drainMs;
      while ((lanes.running > 0 || outcomes.size > 0) && performance.now() < giveUpAt) await wait(5);
      outcomes.abandon();
      await leases.end().catch((error: unknown) => log.warn({ err: error }, 'the shards could not be given back'));
      await deliverer.close();
      state = 'stopped';
    },
    async idle() {
      const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
      while (state === 'running') {
        const due = await selectDue(db, shards, dueBy(), 1);
        if (due.length === 0 && lanes.size === 0) return;
        wake();
        await wait(5);
      }
    },
  };
}
