import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import type { AdaptiveLimit } from './adaptive-limits.ts';
import type { Target } from './target-limits.ts';

/** A loaded delivery, ready to be sent under the lease of its shard. */
export interface Job {
  readonly delivery: LoadedDelivery;
  /** Fencing token of the lease. */
  readonly token: number;
  /** Monotonic clock, in ms. An old job is loaded again, because its endpoint may have changed. */
  readonly loadedAt: number;
}

/** Capacity that the endpoints of one tenant use together. */
export interface TenantUse {
  readonly id: string;
  /** Number of endpoint queues. */
  queues: number;
  inFlight: number;
  /** In-flight deliveries to endpoints without a recent success. */
  unproven: number;
  /** Deliveries loaded or being loaded, and not started. */
  prefetched: number;
}

/** The deliveries of one endpoint that this process holds, in the order to send them. */
export interface EndpointQueue {
  readonly shard: number;
  readonly endpointId: string;
  readonly tenant: TenantUse;
  readonly adaptive: AdaptiveLimit;
  /** The host and port of its URL; null until a delivery was loaded. */
  target: Target | null;
  /** Due deliveries that are not loaded. */
  waiting: QueuedDelivery[];
  /** Loaded deliveries. */
  ready: Job[];
  loading: number;
  inFlight: number;
  /** Ended deliveries whose outcome is not written yet. */
  unrecorded: number;
  /** Deliveries sent since the last load: the rate at which more are prefetched. */
  sentSinceLoad: number;
  /** Number of deliveries to keep loaded beyond those that can start at once. */
  prefetchGoal: number;
  /** The database may hold further due deliveries of this endpoint. */
  hasMore: boolean;
}

/** Upper bound of `prefetchGoal`. */
const MAX_PREFETCH_GOAL = 112;

export function newEndpointQueue(row: QueuedDelivery, tenant: TenantUse, adaptive: AdaptiveLimit): EndpointQueue {
  const counts = { loading: 0, inFlight: 0, unrecorded: 0, sentSinceLoad: 0, prefetchGoal: 0 };
  const of = { shard: row.queue_shard, endpointId: row.endpoint_id, tenant, adaptive };
  return { ...of, target: null, waiting: [], ready: [], ...counts, hasMore: false };
}

/** True when the queue holds no delivery and the database no further one. */
export function isEmpty({ waiting, ready, loading, inFlight, unrecorded, hasMore }: EndpointQueue): boolean {
  return !hasMore && waiting.length + ready.length + loading + inFlight + unrecorded === 0;
}

/**
 * Number of deliveries to load now: those that can start at once, and a prefetch in proportion to the rate of the
 * endpoint. A fast endpoint never waits for the database, a slow one holds nothing. Returns 0 until half of the
 * previous load is used, so that few reads bring many deliveries.
 */
export function countToLoad(queue: EndpointQueue, limit: number): number {
  const { adaptive, inFlight, sentSinceLoad, prefetchGoal } = queue;
  const free = Math.max(0, limit - inFlight);
  const wanted = free + (adaptive.isProven && sentSinceLoad > 0 ? Math.max(prefetchGoal, goalOf(queue)) : 0);
  const have = prefetchedIn(queue);
  return have > wanted / 2 ? 0 : wanted - have;
}

/** Number of deliveries loaded or being loaded, and not started. */
export function prefetchedIn({ loading, ready }: EndpointQueue): number {
  return loading + ready.length;
}

/** Sets the prefetch goal from the deliveries sent since the last load, and starts a new count. */
export function updatePrefetchGoal(queue: EndpointQueue): void {
  queue.prefetchGoal = goalOf(queue);
  queue.sentSinceLoad = 0;
}

/** Adds a waiting delivery in order of its due time: a late commit may bring an earlier one. */
export function enqueue({ waiting }: EndpointQueue, row: QueuedDelivery): void {
  const last = waiting.at(-1);
  waiting.push(row);
  if (last && byDueTime(row, last) < 0) waiting.sort(byDueTime);
}

function goalOf({ sentSinceLoad }: EndpointQueue): number {
  return Math.min(sentSinceLoad * 2, MAX_PREFETCH_GOAL);
}

function byDueTime(a: QueuedDelivery, b: QueuedDelivery): number {
  return a.scheduled_at - b.scheduled_at || (a.id < b.id ? -1 : 1);
}
