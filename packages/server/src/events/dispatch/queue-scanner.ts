import type { Database } from '../../db/database.ts';
import { type QueuedDelivery, selectDue, selectDueOfShards, selectNextEndpoints } from '../outbox/queue.ts';
import type { Scheduler } from './scheduler.ts';

/** With more due deliveries a full scan reads endpoint by endpoint. */
const FULL_SCAN_LIMIT = 500;
/** With more new deliveries a recent scan leaves the rest to a full scan. */
const RECENT_SCAN_LIMIT = 1_000;
/** A recent scan finds deliveries that were committed up to this long, in ms, after they were due. A full scan finds all. */
const MAX_COMMIT_DELAY_MS = 1_000;
/** With too many recent deliveries, a recent scan reads those of this age, in ms: the older ones may all be of one endpoint. */
const NEWEST_MS = 250;
/** Upper bound of the back-off after a slow query. */
const MAX_BACK_OFF_MS = 2_000;
const PER_SHARD = 64;
const PER_STEP = 32;
/** Maximum number of steps over the endpoints in one scan. The next scan continues after the last step. */
const MAX_STEPS = 8;

/**
 * Finds the due deliveries of this dispatcher's shards at any backlog. A full scan is one query when few deliveries are
 * due; otherwise it visits the endpoints, at one key look-up each, so that no backlog hides other endpoints. The cost of
 * a recent scan does not depend on the backlog.
 */
export class QueueScanner {
  readonly #db: Database;
  /** Shard → the endpoint after which the next scan continues. */
  readonly #cursors = new Map<number, string>();
  /** All deliveries due at this instant are known, in memory or as `hasMore`. */
  #scannedUntil = 0;
  /** Monotonic times of the next scans: full scans use at most a fifth of the time, recent scans a third. */
  nextScanAt = 0;
  nextRecentScanAt = 0;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Scans the whole queue. Resolves to true when the scan reached the end. */
  async scan(scheduler: Scheduler, shards: readonly number[], now: number): Promise<boolean> {
    const start = performance.now();
    try {
      const isComplete = await this.#scanAll(scheduler, shards, now);
      this.#scannedUntil = Math.max(this.#scannedUntil, now);
      return isComplete;
    } finally {
      const end = performance.now();
      this.nextScanAt = end + Math.min(4 * (end - start), MAX_BACK_OFF_MS);
    }
  }

  /** Reads the deliveries that fell due since the last scan. Resolves to true when it read all of them. */
  async scanRecent(
    scheduler: Scheduler,
    shards: readonly number[],
    now: number,
    isRestKnown: boolean,
  ): Promise<boolean> {
    if (shards.length === 0) return true;
    const start = performance.now();
    const limit = Math.min(scheduler.size + FULL_SCAN_LIMIT, RECENT_SCAN_LIMIT);
    const since = this.#scannedUntil - MAX_COMMIT_DELAY_MS;
    const rows = await selectDue(this.#db, shards, { since, now, limit });
    const isAll = rows.length < limit;
    if (isAll) {
      scheduler.queues.offerRecent(rows, isRestKnown);
      this.#scannedUntil = now;
    } else {
      const newest = await selectDue(this.#db, shards, { since: now - NEWEST_MS, now, limit });
      if (newest.length < limit) scheduler.queues.offerRecent(newest, false);
    }
    const end = performance.now();
    this.nextRecentScanAt = end + Math.min(2 * (end - start), MAX_BACK_OFF_MS);
    return isAll;
  }

  async #scanAll(scheduler: Scheduler, shards: readonly number[], now: number): Promise<boolean> {
    if (shards.length === 0) return true;
    const limit = Math.min(scheduler.size + PER_SHARD, FULL_SCAN_LIMIT);
    const rows = await selectDue(this.#db, shards, { since: -1, now, limit });
    if (rows.length < limit) {
      scheduler.queues.offer(rows, false);
      return true;
    }
    const heads = shards.map((shard) => ({ shard, limit: PER_SHARD + scheduler.busyIn(shard) }));
    const byShard = Map.groupBy(await selectDueOfShards(this.#db, heads, now), (row) => row.queue_shard);
    const crowded: number[] = [];
    for (const { shard, limit } of heads) {
      const found = byShard.get(shard) ?? [];
      if (found.length < limit) this.#cursors.delete(shard);
      else crowded.push(shard);
      scheduler.queues.offer(found, found.length === limit);
    }
    return this.#visitEndpoints(scheduler, crowded, now);
  }

  async #visitEndpoints(scheduler: Scheduler, crowded: readonly number[], now: number): Promise<boolean> {
    let left = [...crowded];
    for (let step = 0; left.length > 0; step++) {
      if (step === MAX_STEPS) return false;
      const steps = left.map((shard) => ({ shard, after: this.#cursors.get(shard) ?? '' }));
      const rows = await selectNextEndpoints(this.#db, steps, PER_STEP);
      scheduler.queues.offer(
        rows.filter((row) => row.scheduled_at <= now),
        true,
      );
      const byShard = Map.groupBy(rows, (row) => row.queue_shard);
      left = left.filter((shard) => this.#advance(shard, byShard.get(shard) ?? []));
    }
    return true;
  }

  /** Moves the cursor of a shard. Returns false at the end of the shard. */
  #advance(shard: number, rows: readonly QueuedDelivery[]): boolean {
    const last = rows.at(-1);
    if (!last || rows.length < PER_STEP) {
      this.#cursors.delete(shard);
      return false;
    }
    // The deliveries of the last endpoint may be cut, so it is read again, unless it is the only one.
    const before = rows.findLast((row) => row.endpoint_id !== last.endpoint_id);
    this.#cursors.set(shard, (before ?? last).endpoint_id);
    return true;
  }
}
