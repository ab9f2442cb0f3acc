/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * Outcome of a claim. `claimed`: the caller holds it. `in_progress`: another handler holds it. `completed`: the event
 * was already handled.
 */
export type ClaimOutcome = 'claimed' | 'in_progress' | 'completed';

/**
 * Stores which events were handled. Implement it over the database of your handlers, so that all processes of the
 * receiver share it. Each method must be one atomic step: of all concurrent claims of a key, exactly one gets
 * `claimed`.
 *
 * `createSqlStore` and `createRedisStore` implement it with your driver.
 */
export interface DedupeStore {
  /**
   * Claims the key for `leaseSeconds` under the `token` of the caller, if it has no record or its record has expired.
   * Returns `completed` for a completed record that has not expired, and `in_progress` for a claim whose lease has not
   * expired. The lease frees the key after a crash of the handler.
   */
  claim(claim: { key: string; token: string; leaseSeconds: number }): Awaitable<ClaimOutcome>;
  /**
   * Marks the key as handled for `ttlSeconds`, if its claim still has `token`. Otherwise (the lease ended and another
   * handler took over, or the record is gone) it changes nothing.
   * @returns true if the claim was still held
   */
  complete(claim: { key: string; token: string; ttlSeconds: number }): Awaitable<boolean>;
  /**
   * Frees the key, if its claim still has `token`. Otherwise it changes nothing.
   * @returns true if the claim was still held
   */
  release(claim: { key: string; token: string }): Awaitable<boolean>;
  /**
   * Removes the record of a completed key. A running claim is not changed.
   * @returns true if there was such a record
   */
  forget(claim: { key: string }): Awaitable<boolean>;
}

/**
 * Returns true if the value has the methods of a store. JavaScript callers can pass anything; a dedupe helper has them
 * too.
 */
export function hasSteps(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return ['claim', 'complete', 'release', 'forget'].every((name) => typeof Reflect.get(value, name) === 'function');
}
