/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * What became of a claim. `claimed`: it is yours. `in_progress`: another handler holds it. `completed`: it was handled.
 */
export type ClaimOutcome = 'claimed' | 'in_progress' | 'completed';

/**
 * Where it is kept which events were handled. Implement it over the database that the handlers write to, so that all
 * processes of the receiver share it. Each method is one atomic step: of any number of concurrent claims of a key,
 * exactly one is answered with `claimed`.
 *
 * The README has this interface in SQL and in Redis.
 */
export interface DedupeStore {
  /**
   * Takes the key for `leaseSeconds`, under the caller's `token`, where there is no record of it or its record has
   * expired. A record that was completed and has not expired gives `completed`; a claim whose lease still runs gives
   * `in_progress`. The lease is what a crashed handler leaves behind: when it ends, the key is free again.
   */
  claim(claim: { key: string; token: string; leaseSeconds: number }): Awaitable<ClaimOutcome>;
  /**
   * Marks the key as handled for `ttlSeconds`, if its claim still carries `token`; otherwise (the lease ended and
   * someone else took over, or the record is gone) it changes nothing.
   *
   * @returns whether it was still held
   */
  complete(claim: { key: string; token: string; ttlSeconds: number }): Awaitable<boolean>;
  /**
   * Frees the key, if its claim still carries `token`; otherwise it changes nothing.
   *
   * @returns whether it was still held
   */
  release(claim: { key: string; token: string }): Awaitable<boolean>;
  /**
   * Removes the record of a key that was completed; a claim that runs is left as it is.
   *
   * @returns whether there was such a record
   */
  forget(claim: { key: string }): Awaitable<boolean>;
}

/** Whether a value that may come from JavaScript has the steps of a store, which a dedupe helper has too. */
export function hasSteps(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['claim', 'complete', 'release', 'forget'].every((name) => typeof Reflect.get(value, name) === 'function');
}
