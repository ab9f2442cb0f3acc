import type { QueuedDelivery } from '../outbox/queue.ts';
import type { AttemptResult } from './adaptive-limits.ts';
import { type CircuitLimits, Concurrency, type ConcurrencyLimits } from './concurrency.ts';
import { type EndpointQueue, type Job, updatePrefetchGoal } from './endpoint-queue.ts';
import { EndpointQueues, MAX_FAILING_PER_LOAD } from './endpoint-queues.ts';
import { KnownDeliveries } from './known-deliveries.ts';

/**
 * Decides the order in which deliveries are loaded and started: round robin over the endpoints, each endpoint's
 * deliveries in order. A delivery is never handed out twice.
 */
export class Scheduler {
  readonly queues: EndpointQueues;
  readonly #known = new KnownDeliveries();
  readonly #concurrency: Concurrency;

  constructor(limits: ConcurrencyLimits, circuits: CircuitLimits) {
    this.#concurrency = new Concurrency(limits, circuits);
    this.queues = new EndpointQueues(this.#known, this.#concurrency);
  }

  /** Number of deliveries held in memory, including those whose outcome is not written yet. */
  get size(): number {
    return this.#known.size;
  }

  get inFlight(): number {
    return this.#concurrency.inFlight;
  }

  /** Number of deliveries of a shard that are loaded, in flight or unrecorded. */
  busyIn(shard: number): number {
    return this.#known.busyIn(shard);
  }

  /** Forgets the deliveries that ended before the previous call. Must not run during a read of the queue. */
  forgetEnded(): void {
    this.#known.forgetEnded();
  }

  /** Returns up to `max` waiting deliveries to load, round robin over the endpoints. */
  pick(max: number): QueuedDelivery[] {
    const picked: QueuedDelivery[] = [];
    const limit = Math.min(max, this.#concurrency.prefetchRoom);
    let round = this.#nextToLoad(limit);
    while (round.length > 0) {
      for (const turn of round) {
        const { queue } = turn;
        const row = picked.length < limit && this.#concurrency.mayLoad(queue) ? queue.waiting.shift() : undefined;
        turn.count = row ? turn.count - 1 : 0;
        if (!row) continue;
        picked.push(row);
        queue.loading++;
        this.#concurrency.countPrefetched(queue, 1);
        this.#known.countBusy(queue.shard, 1);
        if (queue.waiting.length === 0) this.queues.toLoad.delete(queue);
      }
      round = round.filter(({ count }) => count > 0);
    }
    return picked;
  }

  /** Ends a load. A picked delivery without a job is no longer pending and is forgotten. */
  loaded(picked: readonly QueuedDelivery[], jobs: readonly Job[]): void {
    const byId = new Map(jobs.map((job) => [job.delivery.id, job]));
    for (const row of picked) {
      const queue = this.queues.of(row);
      const job = byId.get(row.id);
      if (job) this.#concurrency.setTarget(queue, job.delivery);
      queue.loading--;
      if (job && queue.target && queue.target.prefetched > queue.target.limit) {
        // The target was unknown when the delivery was picked, and is full: other deliveries are loaded instead.
        this.queues.requeue(queue, row);
      } else if (job && !this.#concurrency.isCircuitOpen(row.endpoint_id)) {
        queue.ready.push(job);
        this.queues.toStart.add(queue);
      } else {
        this.queues.forgetLoaded(queue, row);
      }
    }
  }

  /** Ends a load that failed: the deliveries wait again. */
  notLoaded(picked: readonly QueuedDelivery[]): void {
    for (const row of picked) {
      const queue = this.queues.of(row);
      queue.loading--;
      this.queues.requeue(queue, row);
    }
  }

  /**
   * Puts back the jobs of endpoints that cannot start and have a job from before an instant: they occupy capacity of other
   * endpoints.
   */
  unload(before: number): void {
    for (const queue of this.queues.all()) {
      if (queue.inFlight < this.#concurrency.limitOf(queue) && this.#concurrency.isWithinShare(queue)) continue;
      if (queue.ready.some(({ loadedAt }) => loadedAt < before)) this.#putBackReady(queue);
    }
  }

  /** Starts the next delivery and returns it; undefined when no delivery is ready or no capacity is free. */
  start(): Job | undefined {
    if (this.#concurrency.isFull) return undefined;
    for (const queue of this.queues.toStart) {
      const isFull = queue.inFlight >= this.#concurrency.limitOf(queue);
      if (!isFull && !this.#concurrency.isWithinShare(queue)) continue;
      // A full queue is added again when one of its deliveries ends.
      this.queues.toStart.delete(queue);
      const job = isFull ? undefined : queue.ready.shift();
      if (!job) continue;
      if (queue.ready.length > 0) this.queues.toStart.add(queue);
      this.#concurrency.countPrefetched(queue, -1);
      this.#concurrency.countInFlight(queue, 1);
      return job;
    }
    return undefined;
  }

  /**
   * Ends a started delivery whose outcome is yet to be written.
   * @param result null when nothing was sent
   */
  finish(job: Job, result: AttemptResult | null): void {
    const queue = this.#end(job);
    queue.unrecorded++;
    queue.sentSinceLoad++;
    if (result) this.#concurrency.adjust(queue, job.delivery.id, result);
  }

  /** Puts a started delivery back unsent, with the loaded ones behind it: they are loaded again, in order. */
  putBack(job: Job): void {
    const queue = this.#end(job);
    this.#concurrency.countPrefetched(queue, 1);
    this.queues.requeue(queue, job.delivery);
    this.#putBackReady(queue);
  }

  /** Forgets a started delivery unsent: the lease of its shard ended. */
  drop(job: Job): void {
    this.queues.forgetStarted(this.#end(job), job.delivery);
  }

  /**
   * Ends a delivery whose outcome was written or refused.
   * @param isOver later reads that return the delivery are ignored
   */
  recorded(delivery: QueuedDelivery, isOver: boolean): void {
    const queue = this.queues.of(delivery);
    queue.unrecorded--;
    this.#concurrency.recorded(delivery.id);
    // The outcome may have raised a limit.
    if (queue.ready.length > 0) this.queues.toStart.add(queue);
    if (isOver) this.#known.end(delivery.id);
    else this.#known.delete(delivery.id);
    this.#known.countBusy(queue.shard, -1);
    this.queues.deleteIfEmpty(queue);
  }

  /** Returns up to `limit` endpoints, with the number of deliveries to load for each. */
  #nextToLoad(limit: number): { readonly queue: EndpointQueue; count: number }[] {
    const next: { readonly queue: EndpointQueue; count: number }[] = [];
    let failing = 0;
    for (const queue of this.queues.toLoad) {
      if (next.length >= limit) break;
      const { hasFailed } = queue.adaptive;
      const count = hasFailed && failing === MAX_FAILING_PER_LOAD ? 0 : this.#concurrency.countToLoad(queue);
      if (count === 0) continue;
      next.push({ queue, count });
      if (hasFailed) failing++;
    }
    for (const { queue } of next) {
      updatePrefetchGoal(queue);
      // Moved to the end: the next pick starts with the endpoints that this one leaves out.
      this.queues.toLoad.delete(queue);
      this.queues.toLoad.add(queue);
    }
    return next;
  }

  #putBackReady(queue: EndpointQueue): void {
    const jobs = queue.ready;
    queue.ready = [];
    for (const { delivery } of jobs) this.queues.requeue(queue, delivery);
  }

  #end({ delivery }: Job): EndpointQueue {
    const queue = this.queues.of(delivery);
    this.#concurrency.countInFlight(queue, -1);
    if (queue.ready.length > 0) this.queues.toStart.add(queue);
    return queue;
  }
}
