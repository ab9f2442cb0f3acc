/**
 * The ids of deliveries that this process has in hand, and of those it has done with of late: a read of the queue
 * that began before their end was written, or on a replica, may still show them.
 */
export class KnownDeliveries {
  readonly #inHand = new Set<string>();
  #recent = new Set<string>();
  #older = new Set<string>();

  /** How many are in hand. */
  get size(): number {
    return this.#inHand.size;
  }

  has(id: string): boolean {
    return this.#inHand.has(id) || this.#recent.has(id) || this.#older.has(id);
  }

  add(id: string): void {
    this.#inHand.add(id);
  }

  /** It is as if it had never been seen. */
  delete(id: string): void {
    this.#inHand.delete(id);
  }

  /** It is not to be seen again. */
  end(id: string): void {
    this.#inHand.delete(id);
    this.#recent.add(id);
  }

  /** Forgets what had ended before the last call. Never while a read of the queue is under way. */
  forget(): void {
    this.#older = this.#recent;
    this.#recent = new Set();
  }
}
