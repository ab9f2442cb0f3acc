import type { Database } from '../../db/database.ts';
import { type QueuedDelivery, selectDue, selectDueOfShards, selectNextEndpoints } from '../outbox/queue.ts';
import type { Lanes } from './endpoint-queues.ts';

/** More than this may be due before a look at the whole queue becomes a walk along its endpoints. */
const GLANCE = 500;
/** More than this may have come of late before a look at what is new becomes one at the whole queue. */
const LATE = 1_000;
/** What is committed this long, in ms, after it was due is found by a look at what is new; later than that, at the next poll. */
const LATE_MS = 1_000;
/** When more has come of late than one look takes, it takes what came this long ago, in ms: it may be somebody else's. */
const NEWEST_MS = 250;
/** A database that stood still for a while is not to be looked at all the less when it goes on. */
const LONGEST_REST_MS = 2_000;
const PER_SHARD = 64;
const PER_STEP = 32;
/** Steps of the walk in one scan; the next scan goes on from there. */
const MAX_STEPS = 8;

/**
 * Finds what is due in this dispatcher's shards, whatever the backlog: one query when little is due, else along the
 * endpoints, each of which costs one key look-up, so that nobody's backlog hides the others. In between, a look at what
 * fell due of late finds what is new at a cost that no backlog adds to.
 */
export class QueueScanner {
  readonly #db: Database;
  /** Shard → the endpoint after which its walk goes on. */
  readonly #cursors = new Map<number, string>();
  /** What was due then is known, or known to be there. */
  #lookedUntil = 0;
  /** When the next looks may begin, by the monotonic clock: they take a fifth and a third of the time at most. */
  nextScanAt = 0;
  nextGlanceAt = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Looks at the whole queue. Resolves to whether all of it was seen. */
  async scan(lanes: Lanes, shards: readonly number[], now: number): Promise<boolean> {
    const start = performance.now();
    try {
      const isComplete = await this.#look(lanes, shards, now);
      this.#lookedUntil = Math.max(this.#lookedUntil, now);
      return isComplete;
    } finally {
      const end = performance.now();
      this.nextScanAt = end + Math.min(4 * (end - start), LONGEST_REST_MS);
    }
  }

  /** Looks at what fell due since the last look. Resolves to whether all of that was seen. */
  async glance(lanes: Lanes, shards: readonly number[], now: number, isRestKnown: boolean): Promise<boolean> {
    if (shards.length === 0) return true;
    const start = performance.now();
    const limit = Math.min(lanes.size + GLANCE, LATE);
    const rows = await selectDue(this.#db, shards, { since: this.#lookedUntil - LATE_MS, now, limit });
    const isAll = rows.length < limit;
    if (isAll) {
      lanes.offerLate(rows, isRestKnown);
      this.#lookedUntil = now;
    } else {
      const fresh = await selectDue(this.#db, shards, { since: now - NEWEST_MS, now, limit });
      if (fresh.length < limit) lanes.offerLate(fresh, false);
    }
    const end = performance.now();
    this.nextGlanceAt = end + Math.min(2 * (end - start), LONGEST_REST_MS);
    return isAll;
  }

  async #look(lanes: Lanes, shards: readonly number[], now: number): Promise<boolean> {
    if (shards.length === 0) return true;
    const limit = Math.min(lanes.size + PER_SHARD, GLANCE);
    const rows = await selectDue(this.#db, shards, { since: -1, now, limit });
    if (rows.length < limit) {
      lanes.offer(rows, false);
      return true;
    }
    const heads = shards.map((shard) => ({ shard, limit: PER_SHARD + lanes.busyIn(shard) }));
    const byShard = Map.groupBy(await selectDueOfShards(this.#db, heads, now), (row) => row.queue_shard);
    const crowded: number[] = [];
    for (const { shard, limit } of heads) {
      const found = byShard.get(shard) ?? [];
      if (found.length < limit) this.#cursors.delete(shard);
      else crowded.push(shard);
      lanes.offer(found, found.length === limit);
    }
    return this.#walk(lanes, crowded, now);
  }

  async #walk(lanes: Lanes, crowded: readonly number[], now: number): Promise<boolean> {
    let left = [...crowded];
    for (let step = 0; left.length > 0; step++) {
      if (step === MAX_STEPS) return false;
      const steps = left.map((shard) => ({ shard, after: this.#cursors.get(shard) ?? '' }));
      const rows = await selectNextEndpoints(this.#db, steps, PER_STEP);
      lanes.offer(
        rows.filter((row) => row.scheduled_at <= now),
        true,
      );
      const byShard = Map.groupBy(rows, (row) => row.queue_shard);
      left = left.filter((shard) => this.#advance(shard, byShard.get(shard) ?? []));
    }
    return true;
  }

  /** Whether the walk of the shard goes on. */
  #advance(shard: number, rows: readonly QueuedDelivery[]): boolean {
    const last = rows.at(-1);
    if (!last || rows.length < PER_STEP) {
      this.#cursors.delete(shard);
      return false;
    }
    // The last endpoint may have been cut short, so it comes again, unless it is the only one.
    const before = rows.findLast((row) => row.endpoint_id !== last.endpoint_id);
    this.#cursors.set(shard, (before ?? last).endpoint_id);
    return true;
  }
}
