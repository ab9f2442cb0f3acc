import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type LeaseState, readLeases, releaseShards, removeDispatcher, renewLeases, takeShards } from './leases.ts';

/** One uninterrupted time for which a shard is ours. */
export interface Tenure {
  readonly shard: number;
  /** The fence: outcomes are written only while the lease still has it. */
  readonly token: number;
  /** Until when it surely is ours, by this process's monotonic clock. */
  readonly validUntil: number;
  /** No further delivery is begun; the shard is given back when those under way have ended. */
  readonly leaving: boolean;
}

export interface LeaseKeeperOptions {
  readonly db: Database;
  readonly log: Logger;
  /** The name of this dispatcher; never used again after its end. */
  readonly owner: string;
  readonly leaseMs: number;
  /** Whether deliveries of a shard are under way or unrecorded. */
  isBusy(shard: number): boolean;
  /** Called when shards were won or lost. */
  changed(): void;
}

/**
 * Holds this dispatcher's fair share of the shards: prolongs it, takes what is free when it holds too little, gives
 * back when it holds too much. An answer of the database that comes too late ends a tenure by itself.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  readonly #tenures = new Map<number, Tenure>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();
  #stopping = false;
  #ended = false;
  /** The database's clock less this process's monotonic one. */
  #clockOffset: number | undefined;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next(0);
  }

  /** The shards to work on now. */
  shards(): number[] {
    return [...this.#tenures.keys()].filter((shard) => this.tenureOf(shard) !== undefined);
  }

  /** The tenure under which a delivery of the shard may begin. */
  tenureOf(shard: number): Tenure | undefined {
    const tenure = this.#tenures.get(shard);
    return tenure && !tenure.leaving && performance.now() < tenure.validUntil ? tenure : undefined;
  }

  /** The time of the database, in ms, without asking it; this machine's before the first answer. */
  now(): number {
    return this.#clockOffset === undefined ? Date.now() : Math.round(performance.now() + this.#clockOffset);
  }

  /** To be called when a shard is no longer busy. */
  quiet(): void {
    if (this.#leaving().some((shard) => !this.#options.isBusy(shard))) this.#next(0);
  }

  /** Begins no new delivery, and gives back each shard as it falls quiet. */
  leave(): void {
    this.#stopping = true;
    for (const shard of this.#tenures.keys()) this.#markLeaving(shard);
    this.#next(0);
  }

  /** Gives back everything. What is still busy may be sent again by its next holder. */
  async end(): Promise<void> {
    this.#stopping = true;
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#beating;
    const { db, owner } = this.#options;
    const shards = [...this.#tenures.keys()];
    this.#tenures.clear();
    await releaseShards(db, owner, shards);
    await removeDispatcher(db, owner);
  }

  #next(ms: number): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#beating = this.#beating.then(() => this.#beat());
    }, ms);
  }

  async #beat(): Promise<void> {
    const { leaseMs, log } = this.#options;
    // Short while the share is not reached, so that a new process is soon at work and a dead one soon replaced.
    let pause = leaseMs / 15;
    try {
      const satisfied = await this.#renewAndShare();
      if (satisfied) pause = leaseMs / 5;
    } catch (error) {
      log.warn({ err: error }, 'the leases of the delivery queue could not be renewed');
    }
    // A call of quiet() in between may have set it shorter; the next beat is soon enough in any case.
    this.#next(pause);
  }

  /** Resolves to whether there is nothing to take or give back. */
  async #renewAndShare(): Promise<boolean> {
    const { db, owner, leaseMs } = this.#options;
    const askedAt = performance.now();
    await this.#giveBack();
    if (this.#stopping && this.#tenures.size === 0) return true;
    await renewLeases(db, owner, leaseMs);
    const state = await this.#read();
    this.#adopt(state, askedAt);

    const share = this.#stopping ? 0 : fairShare(state, owner);
    const surplus = this.#tenures.size - this.#leaving().length - share;
    // The last ones go, and each dispatcher takes the first free ones: little moves when one comes or goes.
    const kept = [...this.#tenures.values()].filter(({ leaving }) => !leaving);
    for (const { shard } of kept.slice(kept.length - Math.max(0, surplus))) this.#markLeaving(shard);
    if (surplus > 0) await this.#giveBack();
    if (surplus >= 0) return this.#leaving().length === 0;

    const free = state.leases.filter((lease) => lease.owner === null || lease.expires_at <= state.now);
    const wanted = free.slice(0, -surplus).map(({ shard }) => shard);
    const takenAt = performance.now();
    if ((await takeShards(db, owner, wanted, leaseMs)) > 0) this.#adopt(await this.#read(), takenAt);
    return this.#tenures.size >= share;
  }

  async #read(): Promise<LeaseState> {
    const before = performance.now();
    const state = await readLeases(this.#options.db);
    this.#clockOffset = state.now - (before + performance.now()) / 2;
    return state;
  }

  /** Takes over what the database says: `since` is a moment before the leases were last prolonged. */
  #adopt({ leases }: LeaseState, since: number): void {
    const { owner, leaseMs, log, changed } = this.#options;
    let isChanged = false;
    for (const { shard, owner: holder, token } of leases) {
      const before = this.#tenures.get(shard);
      if (holder !== owner) {
        if (!before) continue;
        log.warn({ shard }, 'a shard of the delivery queue was taken over by another dispatcher');
        this.#tenures.delete(shard);
        isChanged = true;
      } else {
        // A tenth of it is for clocks that do not run equally fast.
        const validUntil = since + leaseMs * 0.9;
        const leaving = this.#stopping || (before?.token === token && before.leaving);
        this.#tenures.set(shard, { shard, token, validUntil, leaving });
        isChanged ||= before?.token !== token;
      }
    }
    if (isChanged) changed();
  }

  async #giveBack(): Promise<void> {
    const { db, owner, isBusy } = this.#options;
    const quiet = this.#leaving().filter((shard) => !isBusy(shard));
    if (quiet.length === 0) return;
    await releaseShards(db, owner, quiet);
    for (const shard of quiet) this.#tenures.delete(shard);
  }

  #leaving(): number[] {
    return [...this.#tenures.values()].filter(({ leaving }) => leaving).map(({ shard }) => shard);
  }

  #markLeaving(shard: number): void {
    const tenure = this.#tenures.get(shard);
    if (!tenure) return;
    this.#tenures.set(shard, { ...tenure, leaving: true });
    this.#options.changed();
  }
}

/** The shards in equal parts, the odd ones to the first dispatchers of the list. */
function fairShare({ leases, dispatchers }: LeaseState, owner: string): number {
  const place = Math.max(0, dispatchers.indexOf(owner));
  const count = Math.max(1, dispatchers.length);
  return Math.floor(leases.length / count) + (place < leases.length % count ? 1 : 0);
}
