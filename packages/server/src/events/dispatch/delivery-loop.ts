import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Alarm } from '../../kernel/alarm.ts';
import { isFailure } from '../outbox/outcomes.ts';
import { loadDeliveries, selectDueOfEndpoints } from '../outbox/queue.ts';
import { type AttemptServices, attemptDelivery, countUnsent, postponed } from './attempt.ts';
import type { Circuits } from './circuits.ts';
import type { Job } from './endpoint-queue.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { OutcomeWriter } from './outcome-writer.ts';
import { MAX_BACK_OFF_MS, MAX_JOB_AGE_MS, MIN_BACK_OFF_MS, type QueuePoller, UNREADABLE } from './queue-poller.ts';
import type { Scheduler } from './scheduler.ts';

export interface DeliveryLoopOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly alarm: Alarm;
  readonly poller: QueuePoller;
  readonly scheduler: Scheduler;
  readonly circuits: Circuits;
  readonly leases: LeaseKeeper;
  readonly outcomes: OutcomeWriter;
  readonly services: AttemptServices;
  /** Deliveries scheduled at this instant or earlier are due. */
  dueBy(): number;
}

/** Maximum number of deliveries in one load. */
const LOAD = 100;
/** Bounds of one refill: endpoints, deliveries for each unit of an endpoint's concurrency limit, and deliveries in total. */
const REFILL_ENDPOINTS = 64;
const REFILL_PER_SLOT = 16;
const REFILL_DELIVERIES = 4_096;
/** With this many unwritten outcomes no delivery starts: the database is unavailable or too slow. */
const MAX_UNWRITTEN = 1_000;

/** Finds due deliveries, loads and sends them; then sleeps until an event or the next poll. */
export class DeliveryLoop {
  readonly #options: DeliveryLoopOptions;
  readonly #stopping = new AbortController();
  /** Number of shards held in the previous round. */
  #held = 0;

  constructor(options: DeliveryLoopOptions) {
    this.#options = options;
  }

  /** Wakes the loop to look for deliveries that fell due recently. */
  wake(): void {
    this.#options.poller.requestRecentScan();
    this.#options.alarm.ring();
  }

  /** Wakes the loop for a full scan. */
  rescan(): void {
    this.#options.poller.requestScan();
    this.#options.alarm.ring();
  }

  /** Starts no further delivery. */
  stop(): void {
    this.#stopping.abort();
    this.#options.alarm.ring();
  }

  async run(): Promise<void> {
    const { alarm, log, poller } = this.#options;
    const { signal } = this.#stopping;
    let backOffMs = MIN_BACK_OFF_MS;
    while (!signal.aborted) {
      // SQLite answers within the same turn: timers and sockets need a separate turn.
      await nextTurn();
      try {
        const didPoll = await this.#poll();
        const didRefill = await this.#refill();
        const didLoad = await this.#load();
        // Deliveries that waited until earlier outcomes were written.
        this.#startReady();
        // A round without a query does not prove that the database is available again.
        if (didPoll || didRefill || didLoad) backOffMs = MIN_BACK_OFF_MS;
        if (didRefill || didLoad) continue;
        await alarm.sleep(poller.restMs);
      } catch (error) {
        log.warn({ err: error }, UNREADABLE);
        poller.requestScan();
        // stop() ends the wait; the loop then ends.
        await wait(backOffMs, undefined, { signal }).catch(() => undefined);
        backOffMs = Math.min(backOffMs * 2, MAX_BACK_OFF_MS);
      }
    }
    await poller.stop();
  }

  async #poll(): Promise<boolean> {
    const { poller, scheduler, leases, circuits } = this.#options;
    // Before any delivery of shards that were just taken over.
    for (const endpointId of await circuits.refresh()) scheduler.queues.release(endpointId);
    const shards = leases.shards();
    // A lease that could not be renewed expires without an event.
    if (shards.length < this.#held) scheduler.queues.keepOnly((shard) => leases.leaseOf(shard) !== undefined);
    this.#held = shards.length;
    return poller.poll(shards);
  }

  /** Reads due deliveries of endpoints that have none left in memory. Resolves to true when there were such endpoints. */
  async #refill(): Promise<boolean> {
    const { db, scheduler, dueBy } = this.#options;
    const requests = scheduler.queues.toRefill(REFILL_ENDPOINTS);
    if (requests.length === 0) return false;
    const most = Math.floor(REFILL_DELIVERIES / requests.length);
    const limited = requests.map((request) => ({
      ...request,
      limit: request.held + Math.min(REFILL_PER_SLOT * request.concurrencyLimit, most),
    }));
    const rows = await selectDueOfEndpoints(db, limited, dueBy());
    scheduler.queues.offer(rows, false);
    const found = Map.groupBy(rows, (row) => row.endpoint_id);
    for (const { shard, endpointId, limit } of limited) {
      scheduler.queues.refilled(shard, endpointId, (found.get(endpointId)?.length ?? 0) === limit);
    }
    // True even when no delivery was found: other endpoints may be next.
    return true;
  }

  async #load(): Promise<boolean> {
    const { db, scheduler, leases, circuits, outcomes, services } = this.#options;
    const picked = outcomes.size < MAX_UNWRITTEN ? scheduler.pick(LOAD) : [];
    if (picked.length === 0) return false;
    try {
      await services.deliverer.prepare();
      const tokens = new Map(picked.map(({ queue_shard: shard }) => [shard, leases.leaseOf(shard)?.token]));
      const readAt = performance.now();
      const rows = await loadDeliveries(db, picked);
      circuits.loaded(rows, readAt);
      const loadedAt = performance.now();
      const jobs: Job[] = [];
      for (const delivery of rows) {
        const token = tokens.get(delivery.queue_shard);
        if (token !== undefined) jobs.push({ delivery, token, loadedAt });
      }
      scheduler.loaded(picked, jobs);
    } catch (error) {
      scheduler.notLoaded(picked);
      throw error;
    }
    this.#startReady();
    return true;
  }

  #startReady(): void {
    const { scheduler, leases } = this.#options;
    if (this.#stopping.signal.aborted) return;
    for (let job = scheduler.start(); job; job = scheduler.start()) {
      if (leases.leaseOf(job.delivery.queue_shard)?.token !== job.token) scheduler.drop(job);
      else if (performance.now() - job.loadedAt > MAX_JOB_AGE_MS) scheduler.putBack(job);
      else void this.#send(job);
    }
  }

  async #send(job: Job): Promise<void> {
    const { alarm, scheduler, circuits, log, outcomes, services } = this.#options;
    const { delivery, token } = job;
    const result = await attemptDelivery(delivery, services).catch((error: unknown) => {
      log.error({ err: error, delivery: delivery.id }, 'could not attempt a delivery; it is postponed');
      countUnsent('postponed', 'secret_unreadable');
      return postponed(services.now());
    });
    if (isFailure(result)) circuits.failed(delivery.endpoint_id);
    const { answer, status } = result;
    scheduler.finish(job, answer && { succeeded: status === 'succeeded', durationMs: answer.durationMs });
    outcomes.add({ delivery, token, ...result }, scheduler.inFlight === 0);
    this.#startReady();
    alarm.ring();
  }
}
