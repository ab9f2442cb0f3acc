import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { movedNow } from '../../db/database-clock.ts';
import { Alarm } from '../../kernel/alarm.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Sealer } from '../../kernel/seal.ts';
import type { HealthOptions } from '../endpoints/endpoint-health.ts';
import { createSecretOpener } from '../endpoints/endpoint-secret.ts';
import { SHARDS } from '../outbox/outbox.ts';
import { isFailure } from '../outbox/outcomes.ts';
import { isAnythingDue } from '../outbox/queue.ts';
import { createAddressGuard } from '../sending/address-guard.ts';
import { createDeliverer } from '../sending/deliver.ts';
import type { Resolve } from '../sending/guarded-connect.ts';
import type { Intercept } from './attempt.ts';
import { FailingEndpoints } from './circuits.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { Lanes } from './endpoint-queues.ts';
import { createEndpointWatch } from './endpoint-watch.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { OutcomeWriter } from './outcome-writer.ts';

export interface DispatcherOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** CIDR ranges that may be reached though they are not public. */
  readonly allowedCidrs: readonly string[];
  /** The time by which deliveries are due and signed; the database's when absent, so that no machine's clock matters. */
  readonly clock?: Clock | undefined;
  /** How often the whole queue is looked at without a hint, in ms. */
  readonly pollMs?: number;
  /** How often, in ms, it is looked for what other processes have made due of late, for they give no hint; `Infinity`: only as often as at all. */
  readonly glanceMs?: number;
  /** How long a shard stays with a dispatcher that is silent, in ms. */
  readonly leaseMs?: number;
  /** Deliveries under way at most: to one endpoint, and in all. */
  readonly perEndpoint?: number;
  /** Concurrency limit at one host and port, for production tenants. */
  readonly perTarget?: number | undefined;
  readonly inFlight?: number;
  /** What becomes of endpoints that fail; when absent none is disabled for failing, and nobody is told. */
  readonly health?: HealthOptions;
  /** How long an attempt may take, in ms. */
  readonly deadlineMs?: number;
  /** How long an outcome waits for others to be written with, in ms. */
  readonly batchMs?: number;
  /** How long `stop` waits for what is under way, in ms. */
  readonly drainMs?: number;
  readonly resolve?: Resolve;
  readonly intercept?: Intercept | undefined;
}

/** Sends what is due, at least once. Any number of processes may each have one on the same database. */
export interface Dispatcher {
  start(): void;
  /** A hint that something is due now. */
  wake(): void;
  /** Begins nothing new, waits for what is under way, and hands the queue over to the others. */
  stop(): Promise<void>;
  /**
   * Resolves when nothing is due and nothing under way, in any process. At once when not started. What waits for the end
   * of its endpoint's pause is not due before it. Resolves too when the signal says to wait no more.
   */
  idle(signal?: AbortSignal): Promise<void>;
}

/** On a file there is mostly one process, which hints at what it makes due. */
const GLANCE_MS = { sqlite: Number.POSITIVE_INFINITY, mariadb: 100, mysql: 100 } as const;
const UNTOLD: HealthOptions = { failureDays: 0, tell: async () => undefined };
/** How far the time of the database, as known here, may be off, in ms. */
const CLOCK_ERROR_MS = 20;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const {
    db,
    log,
    pollMs = 1_000,
    glanceMs = GLANCE_MS[db.kind],
    leaseMs = 15_000,
    batchMs = 20,
    drainMs = 15_000,
  } = options;
  const owner = `${hostname()
    .slice(0, 20)
    .replace(/[^\w.-]/g, '_')}:${process.pid}:${randomUUID()}`;
  const alarm = new Alarm();
  const deliverer = createDeliverer({
    guard: createAddressGuard(options.allowedCidrs),
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const failing = new FailingEndpoints({
    db,
    now: () => now(),
    isOurs: (shard) => leases.tenureOf(shard) !== undefined,
  });
  const { perEndpoint = 16, perTarget, inFlight = 500 } = options;
  const lanes = new Lanes({ perEndpoint, inFlight, ...(perTarget === undefined ? {} : { perTarget }) }, failing);
  const leases = new LeaseKeeper({
    db,
    log,
    owner,
    leaseMs,
    isBusy: (shard) => lanes.busyIn(shard) > 0,
    changed() {
      lanes.keepOnly((shard) => leases.tenureOf(shard) !== undefined);
      failing.forget();
      loop.lookAround();
    },
  });
  const now = options.clock ?? (() => movedNow(db) ?? leases.now());
  // What was made due a moment ago must not wait for the next poll because two clocks differ by a millisecond.
  const dueBy = options.clock ?? (() => movedNow(db) ?? leases.now() + CLOCK_ERROR_MS);
  const { intercept } = options;
  const services = { deliverer, intercept, now, openSecret: createSecretOpener(options.sealer) };
  const outcomes = new OutcomeWriter({
    db,
    log,
    owner,
    windowMs: batchMs,
    watch: createEndpointWatch({ db, log, failing, ...(options.health ?? UNTOLD) }),
    recorded(batch, isWhole) {
      // What was refused may have been written all the same, by an answer that was lost.
      if (!isWhole) failing.forget();
      for (const outcome of batch) {
        const { delivery, status } = outcome;
        if (isFailure(outcome)) failing.failureRecorded(delivery.endpoint_id);
        lanes.recorded(delivery, status !== 'pending');
        if (failing.isPaused(delivery.endpoint_id)) lanes.release(delivery.endpoint_id);
      }
      leases.quiet();
      alarm.ring();
    },
  });
  const loop = new DeliveryLoop({
    db,
    log,
    alarm,
    lanes,
    failing,
    leases,
    outcomes,
    services,
    dueBy,
    pollMs,
    glanceMs,
  });
  let state: 'new' | 'running' | 'stopped' = 'new';
  let running: Promise<void> = Promise.resolve();

  return {
    start() {
      if (state !== 'new') return;
      state = 'running';
      leases.start();
      running = loop.run();
    },
    wake: () => loop.wake(),
    async stop() {
      const wasRunning = state === 'running';
      state = 'stopped';
      loop.stop();
      await running;
      if (wasRunning) await handOver();
      await deliverer.close();
    },
    async idle(signal) {
      const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
      while (state === 'running' && !signal?.aborted) {
        if (!(await isAnythingDue(db, shards, { dueBy: dueBy(), now: now() })) && lanes.size === 0) return;
        loop.lookAround();
        await wait(5);
      }
    },
  };

  /** Waits for what is under way, while each shard that falls quiet goes to the others. */
  async function handOver(): Promise<void> {
    leases.leave();
    const giveUpAt = performance.now() + drainMs;
    while ((lanes.running > 0 || outcomes.size > 0) && performance.now() < giveUpAt) await wait(5);
    outcomes.abandon();
    await leases.end().catch((error: unknown) => log.warn({ err: error }, 'the shards could not be given back'));
  }
}
