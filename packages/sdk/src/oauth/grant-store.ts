/** A stored grant. */
export interface StoredGrant {
  /** Safe integer that grows with each write. */
  readonly version: number;
  /** Opaque text that contains the tokens: about 500 bytes, or 900 with `encryption`. Keep it out of logs. */
  readonly value: string;
}

/**
 * Stores grants for all processes that act for the same tenants. `compareAndSet` makes the refresh safe, so it must be
 * atomic across all of them. Each method has 10 s. `get`, `compareAndSet` and `list` are called again a few times after a
 * failure.
 */
export interface GrantStore {
  /**
   * Name of the underlying storage, for example `file:/var/lib/grants`. Two store objects of one process with the same
   * id share their refreshes. A store without an id shares only with itself.
   */
  readonly id?: string | undefined;
  /** Returns the grant stored under the key, or null. */
  get(key: string): Promise<StoredGrant | null>;
  /**
   * Stores `next` only if the stored version is `expected` (null: nothing is stored). Returns true if it was stored. A
   * write that returned true must be durable.
   */
  compareAndSet(key: string, expected: number | null, next: StoredGrant): Promise<boolean>;
  /**
   * Returns the `limit` grants that follow the one of the key `after` (null: the first ones), in an order that does not
   * change. Fewer only at the end. Optional: only `oauth.grants.list()` needs it.
   */
  list?(range: GrantRange): Promise<readonly ListedGrant[]>;
  /**
   * Tries once to lock the key against all other processes. Optional. Without locks, the mark that each refresh leaves
   * in the grant keeps other processes away, and a killed process delays them longer. The clocks of the processes must
   * then agree within three timeouts. The lock of a killed process must expire on its own.
   */
  tryLock?(key: string): Promise<GrantLock | LockHolder>;
}

/** A part of the list of grants. */
export interface GrantRange {
  /** Key after which the part begins; null for the first part. */
  readonly after: string | null;
  /** Maximum number of grants. */
  readonly limit: number;
}

/** A stored grant with its key. */
export interface ListedGrant extends StoredGrant {
  /** Key of the grant. */
  readonly key: string;
}

/** An acquired lock. */
export interface GrantLock {
  /** Releases the lock. */
  release(): Promise<void>;
}

/** Name of the process that holds the lock, for the error message after a wait. */
export interface LockHolder {
  /** Names the process that holds the lock. */
  readonly heldBy: string;
}

/**
 * Encrypts stored grants. `key` is the key of the grant: bind the ciphertext to it, so that grants cannot be swapped.
 */
export interface GrantEncryption {
  /** Returns the encrypted text. */
  encrypt(text: string, key: string): string | Promise<string>;
  /** Returns the text that was passed to `encrypt`. */
  decrypt(text: string, key: string): string | Promise<string>;
}
