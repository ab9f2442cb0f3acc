/** A value, or a promise of it. */
export type Awaitable<T> = T | PromiseLike<T>;

/**
 * Remembers the used launch tokens. The claim must be atomic: of all concurrent claims of a key, exactly one gets
 * `claimed`. A store for duplicate webhooks (`DedupeStore` of @plat/webhooks) has the same method and can be used here.
 */
export interface OneTimeStore {
  /**
   * Claims the key for `leaseSeconds`, unless it is already claimed.
   * @param claim `key` has at most 191 visible ASCII characters; `token` is a random text that differs for each claim
   * @returns `claimed` the first time, another value after that
   */
  claim(claim: { key: string; token: string; leaseSeconds: number }): Awaitable<string>;
}
