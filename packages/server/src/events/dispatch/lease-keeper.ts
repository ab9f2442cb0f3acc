import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { ClockEstimate } from '../../kernel/clock-estimate.ts';
import { count, startTimer } from '../../kernel/meter.ts';
import { type LeaseState, readLeases, releaseShards, removeDispatcher, renewLeases, takeShards } from './leases.ts';

/** The lease of a shard, held without interruption. */
export interface HeldLease {
  readonly shard: number;
  /** Fencing token: outcomes are written only while the lease still has it. */
  readonly token: number;
  /** The lease is certainly held until then, by this process's monotonic clock. */
  readonly validUntil: number;
  /** No further delivery starts; the shard is released when its in-flight deliveries have ended. */
  readonly draining: boolean;
}

export interface LeaseKeeperOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Name of this dispatcher; never reused after its end. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Resolves to false while other dispatchers should hold the shards, if there are any. */
  opensSecrets(): Promise<boolean>;
  /** True while deliveries of the shard are in flight or unrecorded. */
  isBusy(shard: number): boolean;
  /** Called when the set of held shards changed. */
  changed(): void;
}

/**
 * Holds this dispatcher's fair share of the shards: renews its leases, takes free shards while it holds too few, and
 * releases shards when it holds too many. A lease that is not renewed in time ends by itself. A dispatcher that cannot sign has
 * no share; it holds all shards while no other dispatcher is running.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #held = new Map<number, HeldLease>();
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();
  #isDraining = false;
  #isEnded = false;
  readonly #databaseClock = new ClockEstimate();

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  start(): void {
    // Prometheus sees no increase in a series that begins with its first event.
    for (const direction of ['taken', 'released', 'lost']) count('plat_shard_moves_total', { direction }, 0);
    this.#scheduleRenewal(0);
  }

  /** Returns the shards whose deliveries may start now. */
  shards(): number[] {
    return [...this.#held.keys()].filter((shard) => this.leaseOf(shard) !== undefined);
  }

  /** Returns the lease under which a delivery of the shard may start. */
  leaseOf(shard: number): HeldLease | undefined {
    const lease = this.#held.get(shard);
    return lease && !lease.draining && performance.now() < lease.validUntil ? lease : undefined;
  }

  /** Returns the database's time, in ms, without a query; this machine's time before the first query. */
  now(): number {
    return this.#databaseClock.at(performance.now()) ?? Date.now();
  }

  /** Releases draining shards that are no longer busy. */
  releaseIdle(): void {
    if (this.#draining().some((shard) => !this.#options.isBusy(shard))) this.#scheduleRenewal(0);
  }

  /** Starts no further delivery, and releases each shard when its in-flight deliveries have ended. */
  drain(): void {
    this.#isDraining = true;
    for (const shard of this.#held.keys()) this.#markDraining(shard);
    this.#scheduleRenewal(0);
  }

  /** Releases all shards. The next lease holder may repeat deliveries that are still in flight. */
  async end(): Promise<void> {
    this.#isDraining = true;
    this.#isEnded = true;
    clearTimeout(this.#timer);
    await this.#renewing;
    const { db, owner } = this.#options;
    const shards = [...this.#held.keys()];
    this.#held.clear();
    await releaseShards(db, owner, shards);
    await removeDispatcher(db, owner);
  }

  #scheduleRenewal(ms: number): void {
    if (this.#isEnded) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    }, ms);
  }

  async #renew(): Promise<void> {
    const { leaseMs, log } = this.#options;
    // Short until the share is reached: a new process starts soon, and a dead one is replaced soon.
    let delayMs = leaseMs / 15;
    try {
      const end = startTimer('plat_lease_renewal_seconds', {});
      const hasShare = await this.#renewAndShare();
      end();
      if (hasShare) delayMs = leaseMs / 5;
    } catch (error) {
      log.warn({ err: error }, 'could not renew the leases of the delivery queue');
    }
    // releaseIdle() may have set a shorter delay meanwhile; the next renewal is soon enough in any case.
    this.#scheduleRenewal(delayMs);
  }

  /** Resolves to true when no shard is left to take or release. */
  async #renewAndShare(): Promise<boolean> {
    const { db, owner, leaseMs, opensSecrets } = this.#options;
    const askedAt = performance.now();
    await this.#releaseDrained();
    if (this.#isDraining && this.#held.size === 0) return true;
    const takesPart = await opensSecrets();
    await renewLeases(db, owner, { leaseMs, takesPart });
    const state = await this.#read();
    this.#adopt(state, askedAt);

    const share = this.#isDraining ? 0 : shareOf(state, takesPart ? owner : null);
    const surplus = this.#held.size - this.#draining().length - share;
    // The last shards are released and the first free ones taken: few shards move when a dispatcher starts or stops.
    const kept = [...this.#held.values()].filter(({ draining }) => !draining);
    for (const { shard } of kept.slice(kept.length - Math.max(0, surplus))) this.#markDraining(shard);
    if (surplus > 0) await this.#releaseDrained();
    if (surplus >= 0) return this.#draining().length === 0;

    const free = state.leases.filter((lease) => lease.owner === null || lease.expires_at <= state.now);
    const wanted = free.slice(0, -surplus).map(({ shard }) => shard);
    // The leases that were held before were last renewed after `askedAt`, not now.
    if ((await takeShards(db, owner, wanted, leaseMs)) > 0) this.#adopt(await this.#read(), askedAt);
    return this.#held.size >= share;
  }

  async #read(): Promise<LeaseState> {
    const before = performance.now();
    const state = await readLeases(this.#options.db);
    this.#databaseClock.add(state.now, before, performance.now());
    return state;
  }

  /**
   * Takes over the leases that the database returned.
   * @param since an instant before the leases were last renewed
   */
  #adopt({ leases }: LeaseState, since: number): void {
    const { owner, leaseMs, log, changed } = this.#options;
    let isChanged = false;
    for (const { shard, owner: holder, token } of leases) {
      const before = this.#held.get(shard);
      if (holder !== owner) {
        if (!before) continue;
        log.warn({ shard }, 'another dispatcher took over a shard of the delivery queue');
        this.#held.delete(shard);
        count('plat_shard_moves_total', { direction: 'lost' });
        isChanged = true;
      } else {
        // A tenth of the lease allows for clocks of different speed.
        const validUntil = since + leaseMs * 0.9;
        const draining = this.#isDraining || (before?.token === token && before.draining);
        this.#held.set(shard, { shard, token, validUntil, draining });
        if (before?.token === token) continue;
        count('plat_shard_moves_total', { direction: 'taken' });
        isChanged = true;
      }
    }
    if (isChanged) changed();
  }

  async #releaseDrained(): Promise<void> {
    const { db, owner, isBusy } = this.#options;
    const drained = this.#draining().filter((shard) => !isBusy(shard));
    if (drained.length === 0) return;
    await releaseShards(db, owner, drained);
    for (const shard of drained) this.#held.delete(shard);
    count('plat_shard_moves_total', { direction: 'released' }, drained.length);
  }

  #draining(): number[] {
    return [...this.#held.values()].filter(({ draining }) => draining).map(({ shard }) => shard);
  }

  #markDraining(shard: number): void {
    const lease = this.#held.get(shard);
    if (!lease) return;
    this.#held.set(shard, { ...lease, draining: true });
    this.#options.changed();
  }
}

/**
 * Equal numbers of shards for all dispatchers; the first of the list hold the remainder.
 * @param owner null for a dispatcher that is not in the list
 */
function shareOf({ leases, dispatchers }: LeaseState, owner: string | null): number {
  if (owner === null) return dispatchers.length === 0 ? leases.length : 0;
  const place = Math.max(0, dispatchers.indexOf(owner));
  const count = Math.max(1, dispatchers.length);
  return Math.floor(leases.length / count) + (place < leases.length % count ? 1 : 0);
}
