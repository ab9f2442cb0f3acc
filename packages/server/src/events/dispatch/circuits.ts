import type { Logger } from 'pino';
import type { Transaction } from 'sequelize';
import type { Database } from '../../db/database.ts';
import { select } from '../../db/sql.ts';
import { shardOf } from '../../kernel/ids.ts';
import { count } from '../../kernel/meter.ts';
import { FAILURES_TO_OPEN } from '../endpoints/circuit.ts';
import { type EndpointReport, type HealthOptions, recordHealth } from '../endpoints/endpoint-health.ts';
import { SHARDS } from '../outbox/outbox.ts';
import type { HealthRecorder, Outcome } from '../outbox/outcomes.ts';
import type { LoadedDelivery } from '../outbox/queue.ts';
import type { CircuitLimits } from './concurrency.ts';

export interface CircuitsOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly health: HealthOptions;
  /** The time at which open circuits become half-open, in ms. */
  now(): number;
  /** True while this process holds the lease of the shard. */
  isHeld(shard: number): boolean;
}

interface KnownCircuit {
  /** Consecutive failures, as recorded. */
  failures: number;
  openUntil: number | null;
  /** Failures that are not recorded yet. */
  unrecorded: number;
  /** Monotonic time of the last write by this process: a read that began earlier may return an older state. */
  recordedAt: number;
}

/** A request may close a circuit early, so open circuits are read again after this time, in ms. */
const REFRESH_MS = 2_000;

/**
 * The circuits of this process's endpoints, in memory. An open circuit allows no delivery, a half-open one a single
 * delivery, and a closed one as many as it takes to open it. The endpoint's row is authoritative; this adds the failures
 * that are not written yet. Endpoints without failures are not stored.
 */
export class Circuits implements CircuitLimits, HealthRecorder {
  readonly #options: CircuitsOptions;
  readonly #known = new Map<string, KnownCircuit>();
  #isStale = true;
  #refreshAt = 0;

  constructor(options: CircuitsOptions) {
    this.#options = options;
  }

  /** Makes the next refresh read all open circuits: shards were taken over, or a response of the database was lost. */
  invalidate(): void {
    this.#isStale = true;
    for (const id of this.#known.keys()) if (!this.#isHeld(id)) this.#known.delete(id);
  }

  isOpen(endpointId: string): boolean {
    const openUntil = this.#known.get(endpointId)?.openUntil ?? null;
    return openUntil !== null && openUntil > this.#options.now();
  }

  /** Decreases with each failure, so that no more attempts are made than it takes to open the circuit. */
  maxInFlight(endpointId: string): number {
    const known = this.#known.get(endpointId);
    if (!known) return Number.POSITIVE_INFINITY;
    if (known.openUntil !== null) return this.isOpen(endpointId) ? 0 : 1 - known.unrecorded;
    const { failures, unrecorded } = known;
    if (failures + unrecorded === 0) return Number.POSITIVE_INFINITY;
    return Math.max(FAILURES_TO_OPEN - failures - unrecorded, unrecorded === 0 ? 1 : 0);
  }

  isFailing({ endpoint_id, consecutive_failures }: LoadedDelivery): boolean {
    return (consecutive_failures ?? 0) > 0 || this.#known.has(endpoint_id);
  }

  /**
   * Takes over the failures that a load returned.
   * @param readAt monotonic time at which the read began
   */
  loaded(deliveries: readonly LoadedDelivery[], readAt: number): void {
    for (const { endpoint_id: id, endpoint_status, consecutive_failures } of deliveries) {
      // A delivery to a disabled endpoint ends without being sent.
      const failures = endpoint_status === 'enabled' ? (consecutive_failures ?? 0) : 0;
      const known = this.#known.get(id);
      if (known ? known.recordedAt >= readAt || known.openUntil !== null : failures === 0) continue;
      this.#set(id, { failures, openUntil: null, recordedAt: known?.recordedAt ?? 0 });
    }
  }

  /** Counts a failed attempt whose outcome is not written yet. */
  failed(endpointId: string): void {
    const known = this.#known.get(endpointId);
    if (known) known.unrecorded++;
    else this.#known.set(endpointId, { failures: 0, openUntil: null, unrecorded: 1, recordedAt: 0 });
  }

  /** The outcome of a failed attempt is written, or was refused. */
  failureRecorded(endpointId: string): void {
    const known = this.#known.get(endpointId);
    if (!known) return;
    known.unrecorded = Math.max(0, known.unrecorded - 1);
    this.#deleteIfHealthy(endpointId, known);
  }

  async record(transaction: Transaction, outcomes: readonly Outcome[]): Promise<() => void> {
    const { db, log, health } = this.#options;
    const reports = await recordHealth(db, transaction, outcomes, health);
    return () => {
      this.update(reports);
      for (const { id, disabledReason: reason } of reports) {
        if (reason === null) continue;
        count('plat_endpoints_disabled_total', { reason });
        log.info({ endpoint: id, reason }, 'a webhook endpoint was disabled');
      }
    };
  }

  /** Takes over the states that were just committed. */
  update(reports: readonly EndpointReport[]): void {
    const recordedAt = performance.now();
    for (const { id, consecutive_failures, paused_until, disabledReason } of reports) {
      const failures = disabledReason === null ? consecutive_failures : 0;
      this.#set(id, { failures, openUntil: paused_until, recordedAt });
    }
  }

  /** Reads the open circuits when they may have changed, and returns the endpoints whose circuit is open. */
  async refresh(): Promise<readonly string[]> {
    const isDue = performance.now() >= this.#refreshAt;
    if (isDue) this.#refreshAt = performance.now() + REFRESH_MS;
    if (isDue && [...this.#known.values()].some(({ openUntil }) => openUntil !== null)) this.#isStale = true;
    if (!this.#isStale) return [];
    // Shards that are taken over during the read require another one.
    while (this.#isStale) {
      const readAt = performance.now();
      this.#isStale = false;
      try {
        this.#updateOpen(await selectOpen(this.#options.db), readAt);
      } catch (error) {
        this.#isStale = true;
        throw error;
      }
    }
    return [...this.#known.keys()].filter((id) => this.isOpen(id));
  }

  #updateOpen(rows: readonly OpenRow[], readAt: number): void {
    const open = new Map(rows.filter(({ id }) => this.#isHeld(id)).map(({ id, paused_until }) => [id, paused_until]));
    for (const [id, known] of this.#known) {
      // The endpoint was enabled again, disabled or deleted.
      if (known.openUntil !== null && known.recordedAt < readAt && !open.has(id)) {
        this.#set(id, { failures: 0, openUntil: null, recordedAt: known.recordedAt });
      }
    }
    for (const [id, openUntil] of open) {
      const known = this.#known.get(id);
      if (known && known.recordedAt >= readAt) continue;
      this.#set(id, { failures: known?.failures ?? 0, openUntil, recordedAt: known?.recordedAt ?? 0 });
    }
  }

  #set(id: string, state: Omit<KnownCircuit, 'unrecorded'>): void {
    const known = { ...state, unrecorded: this.#known.get(id)?.unrecorded ?? 0 };
    this.#known.set(id, known);
    this.#deleteIfHealthy(id, known);
  }

  #deleteIfHealthy(id: string, { failures, openUntil, unrecorded }: KnownCircuit): void {
    if (failures + unrecorded === 0 && openUntil === null) this.#known.delete(id);
  }

  #isHeld(endpointId: string): boolean {
    return this.#options.isHeld(shardOf(endpointId, SHARDS));
  }
}

interface OpenRow {
  readonly id: string;
  readonly paused_until: number;
}

/** Reads an index that contains only endpoints with a `paused_until`. */
function selectOpen(db: Database): Promise<OpenRow[]> {
  return select<OpenRow>(db, 'SELECT id, paused_until FROM webhook_endpoints WHERE paused_until > 0');
}
