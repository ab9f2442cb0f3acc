import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import type { Standing } from './adaptive-limits.ts';
import type { Target } from './target-limits.ts';

/** A delivery ready to be sent, loaded under a tenure of its shard. */
export interface Job {
  readonly delivery: LoadedDelivery;
  readonly token: number;
  /** By the monotonic clock. What is said of the endpoint may be wrong soon after. */
  readonly loadedAt: number;
}

/** What the endpoints of one tenant hold together. */
export interface Tenant {
  readonly id: string;
  lanes: number;
  /** Under way. */
  running: number;
  /** Of these, to endpoints that are not in good standing. */
  doubtful: number;
  /** Loaded or being loaded, and not begun. */
  ahead: number;
}

/** The deliveries of one endpoint that this process knows of, in the order to send them. */
export interface Lane {
  readonly shard: number;
  readonly endpointId: string;
  readonly tenant: Tenant;
  readonly standing: Standing;
  /** The host and port of its URL; null until a delivery was loaded. */
  target: Target | null;
  waiting: QueuedDelivery[];
  ready: Job[];
  loading: number;
  running: number;
  /** Ended, but still pending in the database. */
  unrecorded: number;
  /** Sent since some were last loaded: the pace by which more are loaded ahead. */
  sent: number;
  ahead: number;
  /** The queue may have more of it than we know. */
  more: boolean;
}

/** Loaded deliveries of one endpoint beyond those that can begin at once. */
const READY_AHEAD = 112;

export function newLane(row: QueuedDelivery, tenant: Tenant, standing: Standing): Lane {
  const counts = { loading: 0, running: 0, unrecorded: 0, sent: 0, ahead: 0 };
  const of = { shard: row.queue_shard, endpointId: row.endpoint_id, tenant, standing };
  return { ...of, target: null, waiting: [], ready: [], ...counts, more: false };
}

/** Whether nothing would be lost with it. */
export function isEmpty({ waiting, ready, loading, running, unrecorded, more }: Lane): boolean {
  return !more && waiting.length + ready.length + loading + running + unrecorded === 0;
}

/**
 * How many more to load: what can begin at once, and ahead of that by the pace of the endpoint, so that a fast one
 * never waits for the database and a slow one holds nothing. None before half of it is used up, so that few reads
 * bring many.
 */
export function roomOf(lane: Lane, width: number): number {
  const { standing, running, sent, ahead } = lane;
  const free = Math.max(0, width - running);
  const wanted = free + (standing.isGood && sent > 0 ? Math.max(ahead, paceOf(lane)) : 0);
  const have = inHand(lane);
  return have > wanted / 2 ? 0 : wanted - have;
}

/** How many are loaded or being loaded. */
export function inHand({ loading, ready }: Lane): number {
  return loading + ready.length;
}

export function setPace(lane: Lane): void {
  lane.ahead = paceOf(lane);
  lane.sent = 0;
}

/** Adds a delivery to those that wait, where it belongs: late commits come with earlier times. */
export function enqueue({ waiting }: Lane, row: QueuedDelivery): void {
  const last = waiting.at(-1);
  waiting.push(row);
  if (last && inOrder(row, last) < 0) waiting.sort(inOrder);
}

function paceOf({ sent }: Lane): number {
  return Math.min(sent * 2, READY_AHEAD);
}

function inOrder(a: QueuedDelivery, b: QueuedDelivery): number {
  return a.scheduled_at - b.scheduled_at || (a.id < b.id ? -1 : 1);
}
