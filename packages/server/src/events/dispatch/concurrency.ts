import type { LoadedDelivery, QueuedDelivery } from '../outbox/queue.ts';
import { AdaptiveLimits, type AttemptResult } from './adaptive-limits.ts';
import { countToLoad, type EndpointQueue, newEndpointQueue, prefetchedIn, type TenantUse } from './endpoint-queue.ts';
import { TargetLimits } from './target-limits.ts';

export interface ConcurrencyLimits {
  /** Maximum number of in-flight deliveries to one endpoint. */
  readonly perEndpoint: number;
  /** Concurrency limit at one host and port, for production tenants; half of `inFlight` when absent. */
  readonly perTarget?: number;
  /** Maximum number of in-flight deliveries of this process. */
  readonly inFlight: number;
}

/** Limits that the circuits of endpoints set. */
export interface CircuitLimits {
  /** True while the circuit is open: deliveries are neither loaded nor sent. */
  isOpen(endpointId: string): boolean;
  maxInFlight(endpointId: string): number;
}

/** Deliveries loaded beyond those in flight, over all endpoints: they are sent while the next ones are being loaded. */
const MAX_PREFETCHED = 400;
/**
 * With this many unrecorded failures no delivery to a failing endpoint starts: writing a failure costs many times as
 * much as writing a success.
 */
const MAX_UNRECORDED_FAILURES = 4;

/**
 * Decides in memory how many deliveries may be in flight: in total, to one endpoint, to one host and port, and for one
 * tenant. The durable counterpart is the circuit in the endpoint's row (`endpoints/circuit.ts`).
 *
 * An attempt may take ten seconds. A tenant uses at most as much capacity as it leaves free, so a hanging endpoint cannot
 * exhaust the pool. Endpoints without a recent success share at most half of it.
 */
export class Concurrency {
  readonly #limits: ConcurrencyLimits;
  readonly #circuits: CircuitLimits;
  readonly #adaptive: AdaptiveLimits;
  readonly #targets: TargetLimits;
  readonly #tenants = new Map<string, TenantUse>();
  readonly #unrecordedFailures = new Set<string>();
  #inFlight = 0;
  #prefetched = 0;
  /** In-flight deliveries to endpoints without a recent success. */
  #unproven = 0;

  constructor(limits: ConcurrencyLimits, circuits: CircuitLimits) {
    this.#limits = limits;
    this.#circuits = circuits;
    this.#adaptive = new AdaptiveLimits(limits.perEndpoint);
    this.#targets = new TargetLimits(Math.max(1, limits.perTarget ?? Math.floor(limits.inFlight / 2)));
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  get isFull(): boolean {
    return this.#inFlight >= this.#limits.inFlight;
  }

  /** Number of further deliveries that may be loaded, over all endpoints. */
  get prefetchRoom(): number {
    return this.#limits.inFlight - this.#inFlight + MAX_PREFETCHED - this.#prefetched;
  }

  isCircuitOpen(endpointId: string): boolean {
    return this.#circuits.isOpen(endpointId);
  }

  /** Concurrency limit of an endpoint now. */
  limitOf({ adaptive, endpointId, target }: EndpointQueue): number {
    const perEndpoint = target?.perEndpoint ?? Number.POSITIVE_INFINITY;
    return Math.min(adaptive.limit, perEndpoint, this.#circuits.maxInFlight(endpointId));
  }

  /** True when one more delivery to the endpoint leaves enough capacity for other endpoints. */
  isWithinShare({ inFlight, adaptive, tenant, target }: EndpointQueue): boolean {
    const capacity = this.#limits.inFlight;
    if (target && target.inFlight >= target.limit) return false;
    if (adaptive.hasFailed && this.#unrecordedFailures.size >= MAX_UNRECORDED_FAILURES) return false;
    if (!adaptive.isProven) return tenant.unproven < capacity / 2 - this.#unproven;
    // A hanging endpoint of the same tenant does not block the first delivery to this one.
    return inFlight === 0 || tenant.inFlight < capacity - this.#inFlight;
  }

  /** Number of deliveries to load for an endpoint; 0 when it sent nothing since the last load and may not start one. */
  countToLoad(queue: EndpointQueue): number {
    if (!hasTargetRoom(queue)) return 0;
    return queue.sentSinceLoad > 0 || this.isWithinShare(queue) ? countToLoad(queue, this.limitOf(queue)) : 0;
  }

  /** True when one more delivery of the endpoint may be loaded now. */
  mayLoad(queue: EndpointQueue): boolean {
    return (prefetchedIn(queue) === 0 || queue.tenant.prefetched < this.prefetchRoom) && hasTargetRoom(queue);
  }

  openQueue(row: QueuedDelivery): EndpointQueue {
    const tenant = this.#tenantOf(row.tenant_id);
    tenant.queues++;
    return newEndpointQueue(row, tenant, this.#adaptive.of(row.endpoint_id));
  }

  closeQueue({ tenant }: EndpointQueue): void {
    if (--tenant.queues === 0) this.#tenants.delete(tenant.id);
  }

  countPrefetched({ tenant, target }: EndpointQueue, change: 1 | -1): void {
    tenant.prefetched += change;
    if (target) target.prefetched += change;
    this.#prefetched += change;
  }

  countInFlight(queue: EndpointQueue, change: 1 | -1): void {
    queue.inFlight += change;
    queue.tenant.inFlight += change;
    if (queue.target) queue.target.inFlight += change;
    this.#inFlight += change;
    this.#countUnproven(queue, change);
  }

  /** Adjusts the limits of the endpoint and of its target to the result of an attempt that is not recorded yet. */
  adjust(queue: EndpointQueue, deliveryId: string, result: AttemptResult): void {
    if (!result.succeeded) this.#unrecordedFailures.add(deliveryId);
    if (queue.target) this.#targets.adjust(queue.target, result);
    this.#countUnproven(queue, -queue.inFlight);
    this.#adaptive.adjust(queue.adaptive, result);
    this.#countUnproven(queue, queue.inFlight);
  }

  recorded(deliveryId: string): void {
    this.#unrecordedFailures.delete(deliveryId);
  }

  /** Sets the target of an endpoint. When its URL changed, loaded and in-flight deliveries count for the new target. */
  setTarget(queue: EndpointQueue, { url, tenant_sandbox }: LoadedDelivery): void {
    const target = url ? this.#targets.of(url, tenant_sandbox === 1) : null;
    if (target === queue.target) return;
    for (const [one, sign] of [
      [queue.target, -1],
      [target, 1],
    ] as const) {
      if (!one) continue;
      one.inFlight += sign * queue.inFlight;
      one.prefetched += sign * prefetchedIn(queue);
    }
    queue.target = target;
  }

  #countUnproven({ adaptive, tenant }: EndpointQueue, change: number): void {
    if (adaptive.isProven) return;
    tenant.unproven += change;
    this.#unproven += change;
  }

  #tenantOf(id: string): TenantUse {
    let tenant = this.#tenants.get(id);
    if (!tenant) {
      tenant = { id, queues: 0, inFlight: 0, unproven: 0, prefetched: 0 };
      this.#tenants.set(id, tenant);
    }
    return tenant;
  }
}

/** At most as many deliveries are loaded ahead for a target as may be in flight to it: more would only delay others. */
function hasTargetRoom({ target }: EndpointQueue): boolean {
  return target === null || target.prefetched < target.limit;
}
