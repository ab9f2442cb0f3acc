import type { QueuedDelivery } from '../outbox/queue.ts';
import type { Concurrency } from './concurrency.ts';
import { type EndpointQueue, enqueue, isEmpty, prefetchedIn } from './endpoint-queue.ts';
import type { KnownDeliveries } from './known-deliveries.ts';

/** Maximum number of waiting deliveries of one endpoint in memory; the database holds the rest. */
const MAX_WAITING = 256;
/** The maximum while this process holds `MANY` deliveries, so that memory stays small at any backlog. */
const MAX_WAITING_OF_MANY = 16;
const MANY = 10_000;
/** Maximum number of failing endpoints in one load: attempts at dead hosts end together, and each failure is costly. */
export const MAX_FAILING_PER_LOAD = 4;

/** An endpoint whose due deliveries are to be read from the database. */
export interface RefillRequest {
  readonly shard: number;
  readonly endpointId: string;
  /** Concurrency limit of the endpoint. */
  readonly concurrencyLimit: number;
  /** Number of its deliveries held in memory and still due in the database: a read returns those first. */
  readonly held: number;
}

/** The due deliveries in memory, one queue for each endpoint. A delivery is held once, until its outcome is written. */
export class EndpointQueues {
  readonly #known: KnownDeliveries;
  readonly #concurrency: Concurrency;
  readonly #byEndpoint = new Map<string, EndpointQueue>();
  /** Queues with waiting deliveries, the next one to load first. */
  readonly toLoad = new Set<EndpointQueue>();
  /** Queues with loaded deliveries, the next one to start first. */
  readonly toStart = new Set<EndpointQueue>();

  constructor(known: KnownDeliveries, concurrency: Concurrency) {
    this.#known = known;
    this.#concurrency = concurrency;
  }

  /** Returns the queue of the delivery's endpoint, and creates it when absent. */
  of(row: QueuedDelivery): EndpointQueue {
    let queue = this.#byEndpoint.get(row.endpoint_id);
    if (!queue) {
      queue = this.#concurrency.openQueue(row);
      this.#byEndpoint.set(row.endpoint_id, queue);
    }
    return queue;
  }

  all(): Iterable<EndpointQueue> {
    return this.#byEndpoint.values();
  }

  /**
   * Adds due deliveries.
   * @param isCut the database may hold further ones of these endpoints
   */
  offer(rows: readonly QueuedDelivery[], isCut: boolean): void {
    const maxWaiting = this.#known.size < MANY ? MAX_WAITING : MAX_WAITING_OF_MANY;
    for (const row of rows) {
      if (this.#concurrency.isCircuitOpen(row.endpoint_id)) continue;
      const isNew = !this.#known.has(row.id);
      if (!isNew && !isCut) continue;
      const queue = this.of(row);
      if (isCut || queue.waiting.length >= maxWaiting) queue.hasMore = true;
      if (!isNew || queue.waiting.length >= maxWaiting) continue;
      this.#known.add(row.id);
      enqueue(queue, row);
      this.toLoad.add(queue);
    }
  }

  /**
   * Adds deliveries that fell due recently. Endpoints with earlier deliveries in the database get them in order, by a
   * refill: those that were cut, and unknown ones unless the whole queue was scanned.
   */
  offerRecent(rows: readonly QueuedDelivery[], isRestKnown: boolean): void {
    const next: QueuedDelivery[] = [];
    for (const row of rows) {
      if (this.#concurrency.isCircuitOpen(row.endpoint_id)) continue;
      if (!isRestKnown && !this.#byEndpoint.has(row.endpoint_id)) this.of(row).hasMore = true;
      if (!this.#byEndpoint.get(row.endpoint_id)?.hasMore) next.push(row);
    }
    this.offer(next, false);
  }

  /**
   * Returns the endpoints that will soon have nothing to send although the database may hold more. Failing endpoints come
   * last and are few, so that a new delivery elsewhere does not wait for many reads about dead endpoints.
   */
  toRefill(max: number): RefillRequest[] {
    const healthy: EndpointQueue[] = [];
    const failing: EndpointQueue[] = [];
    for (const queue of this.#byEndpoint.values()) {
      if (!queue.hasMore || queue.waiting.length > 0 || this.#concurrency.countToLoad(queue) === 0) continue;
      if (!queue.adaptive.hasFailed) healthy.push(queue);
      else if (failing.length < MAX_FAILING_PER_LOAD) failing.push(queue);
      if (healthy.length === max) break;
    }
    return [...healthy, ...failing].slice(0, max).map((queue) => ({
      shard: queue.shard,
      endpointId: queue.endpointId,
      concurrencyLimit: this.#concurrency.limitOf(queue),
      held: prefetchedIn(queue) + queue.inFlight + queue.unrecorded,
    }));
  }

  /**
   * Ends a refill.
   * @param hasMore the database may hold still more
   */
  refilled(shard: number, endpointId: string, hasMore: boolean): void {
    const queue = this.#byEndpoint.get(endpointId);
    if (queue?.shard !== shard) return;
    queue.hasMore = hasMore;
    // Moved to the end, so that the next refill asks for other endpoints.
    this.#byEndpoint.delete(endpointId);
    this.#byEndpoint.set(endpointId, queue);
    this.deleteIfEmpty(queue);
  }

  /** Puts a loaded delivery back among the waiting ones; forgets it while the circuit is open. */
  requeue(queue: EndpointQueue, row: QueuedDelivery): void {
    if (this.#concurrency.isCircuitOpen(queue.endpointId)) {
      this.forgetLoaded(queue, row);
      return;
    }
    this.#endPrefetch(queue);
    enqueue(queue, row);
    this.toLoad.add(queue);
  }

  /** Forgets a loaded delivery: the next read may bring it again. */
  forgetLoaded(queue: EndpointQueue, { id }: QueuedDelivery): void {
    this.#endPrefetch(queue);
    this.#known.delete(id);
    this.deleteIfEmpty(queue);
  }

  /** Forgets a delivery that was in flight: the next read may bring it again. */
  forgetStarted(queue: EndpointQueue, { id }: QueuedDelivery): void {
    this.#known.countBusy(queue.shard, -1);
    this.#known.delete(id);
    this.deleteIfEmpty(queue);
  }

  /** Forgets all deliveries of lost shards that are not in flight. */
  keepOnly(isHeld: (shard: number) => boolean): void {
    for (const queue of this.#byEndpoint.values()) {
      if (!isHeld(queue.shard)) this.#release(queue);
    }
  }

  /** Forgets all deliveries of an endpoint that are not in flight: its circuit opened. */
  release(endpointId: string): void {
    const queue = this.#byEndpoint.get(endpointId);
    if (queue) this.#release(queue);
  }

  deleteIfEmpty(queue: EndpointQueue): void {
    if (!isEmpty(queue)) return;
    this.#byEndpoint.delete(queue.endpointId);
    this.toLoad.delete(queue);
    this.toStart.delete(queue);
    this.#concurrency.closeQueue(queue);
  }

  #release(queue: EndpointQueue): void {
    for (const { id } of queue.waiting) this.#known.delete(id);
    for (const { delivery } of queue.ready) {
      this.#known.delete(delivery.id);
      this.#endPrefetch(queue);
    }
    queue.waiting = [];
    queue.ready = [];
    queue.hasMore = false;
    this.toLoad.delete(queue);
    this.toStart.delete(queue);
    this.deleteIfEmpty(queue);
  }

  #endPrefetch(queue: EndpointQueue): void {
    this.#concurrency.countPrefetched(queue, -1);
    this.#known.countBusy(queue.shard, -1);
  }
}
