/** What a store keeps of a grant. */
export interface StoredGrant {
  /** A safe integer that grows with each write. */
  readonly version: number;
  /** Opaque text with the tokens in it: about 500 bytes, or 900 when `encryption` is set. Keep it out of logs. */
  readonly value: string;
}

/**
 * Where grants are kept: one place for all processes that act for the same tenants. `compareAndSet` is what makes the
 * refresh safe, so it has to be atomic over all of them. What a method throws is tried again a few times.
 */
export interface GrantStore {
  /**
   * What the store stands for, for example `file:/var/lib/grants`. Two store objects of one process with the same id
   * share their refreshes; without an id, an object shares with itself only.
   */
  readonly id?: string | undefined;
  /** What is kept under the key; null when nothing is. */
  get(key: string): Promise<StoredGrant | null>;
  /**
   * Keeps `next` if, and only if, the version kept is `expected` (null: nothing is kept), and says whether it did. Once
   * it answers true, the write must survive what the store is meant to survive.
   */
  compareAndSet(key: string, expected: number | null, next: StoredGrant): Promise<boolean>;
  /**
   * One try to lock the key against all other processes. Optional: without it the mark that each refresh leaves in the
   * grant keeps others away, and a process that dies is waited for longer. The lock of a dead process must end by itself.
   */
  tryLock?(key: string): Promise<GrantLock | LockHolder>;
}

/** A lock that is held. */
export interface GrantLock {
  /** Releases the lock. */
  release(): Promise<void>;
}

/** Who holds the lock, in words, for the error of those who wait too long. */
export interface LockHolder {
  /** Names the process that holds the lock. */
  readonly heldBy: string;
}

/** Keeps what a store sees unreadable. `key` is the grant's: bind the text to it, so that two cannot be swapped. */
export interface GrantEncryption {
  /** Returns the text encrypted for the key of its grant. */
  encrypt(text: string, key: string): string | Promise<string>;
  /** Returns the text that `encrypt` was given. */
  decrypt(text: string, key: string): string | Promise<string>;
}
