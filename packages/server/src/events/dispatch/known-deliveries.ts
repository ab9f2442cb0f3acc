/**
 * Ids of the deliveries that this process holds, and of those that ended recently. A read of the database that began
 * before an outcome was written, or that a replica answers, may still return an ended delivery.
 */
export class KnownDeliveries {
  readonly #held = new Set<string>();
  #recentlyEnded = new Set<string>();
  #endedBefore = new Set<string>();
  readonly #busyByShard = new Map<number, number>();

  /** Number of deliveries held. */
  get size(): number {
    return this.#held.size;
  }

  has(id: string): boolean {
    return this.#held.has(id) || this.#recentlyEnded.has(id) || this.#endedBefore.has(id);
  }

  add(id: string): void {
    this.#held.add(id);
  }

  /** Forgets a delivery: the next read may bring it again. */
  delete(id: string): void {
    this.#held.delete(id);
  }

  /** Marks a delivery as ended: later reads that return it are ignored. */
  end(id: string): void {
    this.#held.delete(id);
    this.#recentlyEnded.add(id);
  }

  /** Forgets the deliveries that ended before the previous call. Must not run during a read of the queue. */
  forgetEnded(): void {
    this.#endedBefore = this.#recentlyEnded;
    this.#recentlyEnded = new Set();
  }

  /** Number of deliveries of a shard that are loaded, in flight or unrecorded. */
  busyIn(shard: number): number {
    return this.#busyByShard.get(shard) ?? 0;
  }

  countBusy(shard: number, change: 1 | -1): void {
    const count = this.busyIn(shard) + change;
    if (count === 0) this.#busyByShard.delete(shard);
    else this.#busyByShard.set(shard, count);
  }
}
