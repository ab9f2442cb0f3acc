import type { Database } from '../../db/database.ts';
import { select } from '../../db/sql.ts';
import { shardOf } from '../../kernel/ids.ts';
import { FAILURES_TO_PAUSE } from '../endpoints/circuit.ts';
import type { EndpointReport } from '../endpoints/endpoint-health.ts';
import { SHARDS } from '../outbox/outbox.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';

export interface FailingEndpointsOptions {
  readonly db: Database;
  /** The time by which pauses end, in ms. */
  now(): number;
  /** Whether the deliveries of a shard are ours to send. */
  isOurs(shard: number): boolean;
}

interface Known {
  /** In a row, as recorded. */
  failures: number;
  pausedUntil: number | null;
  /** Failures that are not recorded yet. */
  unrecorded: number;
  /** When its record was last written here, by the monotonic clock: a read that began before may be older. */
  recordedAt: number;
}

/** A pause may end early, by a request: what is paused is looked up again after so many ms. */
const LOOK_AGAIN_MS = 2_000;

/**
 * The endpoints of this process's shards that fail: how many deliveries each may have under way. The row of the endpoint
 * is what counts; this is what is known of it, and of what has not been written yet. Of the others it knows nothing.
 */
export class FailingEndpoints {
  readonly #options: FailingEndpointsOptions;
  readonly #known = new Map<string, Known>();
  #isStale = true;
  #lookAgainAt = 0;

  constructor(options: FailingEndpointsOptions) {
    this.#options = options;
  }

  /** Something may be paused that is not known here: shards were won, or an answer of the database was lost. */
  forget(): void {
    this.#isStale = true;
    for (const id of this.#known.keys()) if (!this.#isOurs(id)) this.#known.delete(id);
  }

  /** Whether it is paused, and nothing of it is to be loaded. */
  isPaused(endpointId: string): boolean {
    const pausedUntil = this.#known.get(endpointId)?.pausedUntil ?? null;
    return pausedUntil !== null && pausedUntil > this.#options.now();
  }

  /**
   * How many deliveries may be under way: fewer the nearer it is to a pause, so that no more attempts are spent than it
   * takes; after a pause one.
   */
  mostUnderWay(endpointId: string): number {
    const known = this.#known.get(endpointId);
    if (!known) return Number.POSITIVE_INFINITY;
    if (known.pausedUntil !== null) return this.isPaused(endpointId) ? 0 : 1 - known.unrecorded;
    const { failures, unrecorded } = known;
    if (failures + unrecorded === 0) return Number.POSITIVE_INFINITY;
    return Math.max(FAILURES_TO_PAUSE - failures - unrecorded, unrecorded === 0 ? 1 : 0);
  }

  /** Whether its next success is news. */
  isFailing({ endpoint_id, consecutive_failures }: LoadedDelivery): boolean {
    return (consecutive_failures ?? 0) > 0 || this.#known.has(endpoint_id);
  }

  /** Deliveries were loaded by a read that began at `askedAt`, by the monotonic clock. */
  loaded(deliveries: readonly LoadedDelivery[], askedAt: number): void {
    for (const { endpoint_id: id, endpoint_status, consecutive_failures } of deliveries) {
      // What is due to one that was disabled ends without being sent.
      const failures = endpoint_status === 'enabled' ? (consecutive_failures ?? 0) : 0;
      const known = this.#known.get(id);
      if (known ? known.recordedAt >= askedAt || known.pausedUntil !== null : failures === 0) continue;
      this.#set(id, { failures, pausedUntil: null, recordedAt: known?.recordedAt ?? 0 });
    }
  }

  /** An attempt failed; that is yet to be written. */
  failed(endpointId: string): void {
    const known = this.#known.get(endpointId);
    if (known) known.unrecorded++;
    else this.#known.set(endpointId, { failures: 0, pausedUntil: null, unrecorded: 1, recordedAt: 0 });
  }

  /** That an attempt failed is written, or is somebody else's to write. */
  failureRecorded(endpointId: string): void {
    const known = this.#known.get(endpointId);
    if (!known) return;
    known.unrecorded = Math.max(0, known.unrecorded - 1);
    this.#dropIfHealthy(endpointId, known);
  }

  /** What is written of endpoints now. */
  learn(reports: readonly EndpointReport[]): void {
    const recordedAt = performance.now();
    for (const { id, consecutive_failures, paused_until, disabledReason } of reports) {
      const failures = disabledReason === null ? consecutive_failures : 0;
      this.#set(id, { failures, pausedUntil: paused_until, recordedAt });
    }
  }

  /** Reads which endpoints are paused when that may have changed. Resolves to those that are. */
  async look(): Promise<readonly string[]> {
    const isDue = performance.now() >= this.#lookAgainAt;
    if (isDue) this.#lookAgainAt = performance.now() + LOOK_AGAIN_MS;
    if (isDue && [...this.#known.values()].some(({ pausedUntil }) => pausedUntil !== null)) this.#isStale = true;
    if (!this.#isStale) return [];
    // What is won during the read is read again.
    while (this.#isStale) {
      const askedAt = performance.now();
      this.#isStale = false;
      try {
        this.#seen(await selectPaused(this.#options.db), askedAt);
      } catch (error) {
        this.#isStale = true;
        throw error;
      }
    }
    return [...this.#known.keys()].filter((id) => this.isPaused(id));
  }

  #seen(rows: readonly PausedRow[], askedAt: number): void {
    const paused = new Map(rows.filter(({ id }) => this.#isOurs(id)).map(({ id, paused_until }) => [id, paused_until]));
    for (const [id, known] of this.#known) {
      // Neither paused nor failing any more: enabled anew, disabled or deleted.
      if (known.pausedUntil !== null && known.recordedAt < askedAt && !paused.has(id)) {
        this.#set(id, { failures: 0, pausedUntil: null, recordedAt: known.recordedAt });
      }
    }
    for (const [id, pausedUntil] of paused) {
      const known = this.#known.get(id);
      if (known && known.recordedAt >= askedAt) continue;
      this.#set(id, { failures: known?.failures ?? 0, pausedUntil, recordedAt: known?.recordedAt ?? 0 });
    }
  }

  #set(id: string, state: Omit<Known, 'unrecorded'>): void {
    const known = { ...state, unrecorded: this.#known.get(id)?.unrecorded ?? 0 };
    this.#known.set(id, known);
    this.#dropIfHealthy(id, known);
  }

  #dropIfHealthy(id: string, { failures, pausedUntil, unrecorded }: Known): void {
    if (failures + unrecorded === 0 && pausedUntil === null) this.#known.delete(id);
  }

  #isOurs(endpointId: string): boolean {
    return this.#options.isOurs(shardOf(endpointId, SHARDS));
  }
}

interface PausedRow {
  readonly id: string;
  readonly paused_until: number;
}

/** One look at an index that holds the paused ones alone. */
function selectPaused(db: Database): Promise<PausedRow[]> {
  return select<PausedRow>(db, 'SELECT id, paused_until FROM webhook_endpoints WHERE paused_until > 0');
}
