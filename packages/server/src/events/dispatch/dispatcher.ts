import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { movedNow } from '../../db/database-clock.ts';
import { Alarm } from '../../kernel/alarm.ts';
import type { Clock } from '../../kernel/clock.ts';
import { gauge, measureOnExport } from '../../kernel/meter.ts';
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
import { Circuits } from './circuits.ts';
import { DeliveryLoop } from './delivery-loop.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import { OutcomeWriter } from './outcome-writer.ts';
import { QueuePoller } from './queue-poller.ts';
import { Scheduler } from './scheduler.ts';

export interface DispatcherOptions {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly log: Logger;
  /** CIDR ranges that deliveries may reach although they are not public. */
  readonly allowedCidrs: readonly string[];
  /** Clock of due times and signatures. Defaults to the database's clock, so that clocks of machines may differ. */
  readonly clock?: Clock | undefined;
  /** Interval of full scans of the queue without a wake-up, in ms. */
  readonly pollMs?: number;
  /** Interval of scans for deliveries that other processes made due, in ms. `Infinity`: full scans only. */
  readonly recentPollMs?: number;
  /** Time after which other dispatchers take over the shards of one that no longer renews its leases, in ms. */
  readonly leaseMs?: number;
  /** Maximum number of in-flight deliveries to one endpoint. */
  readonly perEndpoint?: number;
  /** Concurrency limit at one host and port, for production tenants. */
  readonly perTarget?: number | undefined;
  /** Maximum number of in-flight deliveries of this process. */
  readonly inFlight?: number;
  /** When absent, failing endpoints are neither disabled nor reported to their owners. */
  readonly health?: HealthOptions;
  /** Total time limit of one attempt, in ms. */
  readonly deadlineMs?: number;
  /** Time for which an outcome waits to be written together with others, in ms. */
  readonly batchMs?: number;
  /** Time for which `stop` waits for in-flight deliveries, in ms. */
  readonly drainMs?: number;
  readonly resolve?: Resolve;
  /** Resolves to false while this process cannot open the secrets of endpoints, so that others should send. */
  readonly opensSecrets?: () => Promise<boolean>;
  readonly intercept?: Intercept | undefined;
}

/** Sends due deliveries, at least once. Several processes may run one each on the same database. */
export interface Dispatcher {
  start(): void;
  /** Wake-up: a delivery may be due now. */
  wake(): void;
  /** Starts no further delivery, waits for those in flight, and releases the shards. */
  stop(): Promise<void>;
  /**
   * Resolves when no delivery is due and none is in flight, in any process; at once when not started. Deliveries to an
   * endpoint whose circuit is open are not due. Also resolves when the signal is aborted.
   */
  idle(signal?: AbortSignal): Promise<void>;
}

/** A SQLite file usually has one process, which wakes its own dispatcher. */
const RECENT_POLL_MS = { sqlite: Number.POSITIVE_INFINITY, mariadb: 100, mysql: 100 } as const;
const NO_HEALTH_RULES: HealthOptions = { failureDays: 0, notify: async () => undefined };
/** Maximum error of the database's time as this process computes it, in ms. */
const CLOCK_ERROR_MS = 20;

export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const {
    db,
    log,
    pollMs = 1_000,
    recentPollMs = RECENT_POLL_MS[db.kind],
    leaseMs = 15_000,
    batchMs = 20,
    drainMs = 15_000,
    perEndpoint = 16,
    perTarget,
    inFlight = 500,
    health = NO_HEALTH_RULES,
    opensSecrets = async () => true,
    intercept,
  } = options;
  const owner = newOwner();
  const alarm = new Alarm();
  const deliverer = createDeliverer({
    guard: createAddressGuard(options.allowedCidrs),
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  });
  const isHeld = (shard: number): boolean => leases.leaseOf(shard) !== undefined;
  const circuits = new Circuits({ db, log, health, now: () => now(), isHeld });
  const scheduler = new Scheduler(
    { perEndpoint, inFlight, ...(perTarget === undefined ? {} : { perTarget }) },
    circuits,
  );
  const leases = new LeaseKeeper({
    db,
    log,
    owner,
    leaseMs,
    opensSecrets,
    isBusy: (shard) => scheduler.busyIn(shard) > 0,
    changed() {
      scheduler.queues.keepOnly(isHeld);
      circuits.invalidate();
      loop.rescan();
    },
  });
  const now = options.clock ?? (() => movedNow(db) ?? leases.now());
  // A delivery that just became due must not wait for the next poll because two clocks differ by a millisecond.
  const dueBy = options.clock ?? (() => movedNow(db) ?? leases.now() + CLOCK_ERROR_MS);
  const services = { deliverer, intercept, now, openSecret: createSecretOpener(options.sealer) };
  const outcomes = new OutcomeWriter({
    db,
    log,
    owner,
    windowMs: batchMs,
    health: circuits,
    recorded(batch, isWhole) {
      // A refused outcome may have been written nevertheless, by a statement whose response was lost.
      if (!isWhole) circuits.invalidate();
      for (const outcome of batch) {
        const { delivery, status } = outcome;
        if (isFailure(outcome)) circuits.failureRecorded(delivery.endpoint_id);
        scheduler.recorded(delivery, status !== 'pending');
        if (circuits.isOpen(delivery.endpoint_id)) scheduler.queues.release(delivery.endpoint_id);
      }
      leases.releaseIdle();
      alarm.ring();
    },
  });
  const poller = new QueuePoller({ db, log, alarm, scheduler, pollMs, recentPollMs, dueBy });
  const loop = new DeliveryLoop({ db, log, alarm, poller, scheduler, circuits, leases, outcomes, services, dueBy });
  let state: 'new' | 'running' | 'stopped' = 'new';
  let running: Promise<void> = Promise.resolve();
  let endGauges = (): void => undefined;

  return {
    start() {
      if (state !== 'new') return;
      state = 'running';
      leases.start();
      endGauges = measureOnExport(setGauges);
      running = loop.run();
    },
    wake: () => loop.wake(),
    async stop() {
      const wasRunning = state === 'running';
      state = 'stopped';
      loop.stop();
      await running;
      if (wasRunning) await drain();
      endGauges();
      await deliverer.close();
    },
    async idle(signal) {
      const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
      while (state === 'running' && !signal?.aborted) {
        if (!(await isAnythingDue(db, shards, { dueBy: dueBy(), now: now() })) && scheduler.size === 0) return;
        loop.rescan();
        await wait(5);
      }
    },
  };

  function setGauges(): void {
    gauge('plat_deliveries_in_flight', {}, scheduler.inFlight);
    gauge('plat_deliveries_known', {}, scheduler.size);
    gauge('plat_outcomes_unwritten', {}, outcomes.size);
    gauge('plat_shards_held', {}, leases.shards().length);
  }

  /** Waits for in-flight deliveries and their outcomes; each shard without one is released at once. */
  async function drain(): Promise<void> {
    leases.drain();
    const giveUpAt = performance.now() + drainMs;
    while ((scheduler.inFlight > 0 || outcomes.size > 0) && performance.now() < giveUpAt) await wait(5);
    outcomes.abandon();
    await leases
      .end()
      .catch((error: unknown) => log.warn({ err: error }, 'could not release the shards of the delivery queue'));
  }
}

/** A name that no other dispatcher has or had: the host for the operator, the rest to distinguish processes. */
function newOwner(): string {
  const host = hostname()
    .slice(0, 20)
    .replace(/[^\w.-]/g, '_');
  return `${host}:${process.pid}:${randomUUID()}`;
}
