/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * Remembers the launch tokens that were used. The one step is atomic: of any number of concurrent claims of a key, exactly
 * one is answered with `claimed`.
 *
 * The stores for duplicate webhooks (`DedupeStore` of @plat/webhooks) have this step, so one of those serves as well.
 */
export interface OneTimeStore {
  /**
   * Takes the key for `leaseSeconds`, unless it is taken.
   *
   * @param claim `key` has at most 200 visible ASCII characters; `token` is a random text that differs for each claim
   * @returns `claimed` the first time, anything else after that
   */
  claim(claim: { key: string; token: string; leaseSeconds: number }): Awaitable<string>;
}
