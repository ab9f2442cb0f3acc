import type { Logger } from 'pino';
import { KEYS_AT_ONCE, type KeyUse } from '../db/key-uses.ts';

/** Stores when API keys were last used, without delaying a request. */
export interface KeyUses {
  /** Notes that a request has presented a valid key. `at` is in ms. */
  note(keyId: string, at: number): void;
  /** Stores the noted uses. Never rejects. */
  close(): Promise<void>;
}

interface KeyUsesOptions {
  /** Stores uses of at most {@link KEYS_AT_ONCE} keys. */
  readonly store: (uses: readonly KeyUse[]) => Promise<void>;
  readonly log: Logger;
}

/** A key whose use was stored. */
interface Stored {
  /** Monotonic time of the storing, in ms. */
  readonly since: number;
  /** Last use that is not stored yet, in ms; null if there is none. */
  usedAt: number | null;
}

/** Minimum time between two stored uses of a key, in ms. */
const STORE_EVERY_MS = 60_000;

/** Time that the first use of a key waits to be stored with others, in ms. */
const BATCH_DELAY_MS = 100;

/** A use is lost if the process is killed within the minute after it. */
export function createKeyUses({ store, log }: KeyUsesOptions): KeyUses {
  const fresh = new Map<string, number>();
  /** In the order of storing. */
  const stored = new Map<string, Stored>();
  let freshTimer: NodeJS.Timeout | undefined;
  let dueTimer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  return {
    note(keyId, at) {
      const known = stored.get(keyId);
      if (known) {
        known.usedAt = at;
        return;
      }
      fresh.set(keyId, at);
      freshTimer ??= setTimeout(() => {
        freshTimer = undefined;
        add(takeFresh());
      }, BATCH_DELAY_MS).unref();
    },
    close() {
      clearTimeout(freshTimer);
      add([...takeFresh(), ...takeStored(Number.POSITIVE_INFINITY)]);
      clearTimeout(dueTimer);
      return writing;
    },
  };

  function takeFresh(): readonly KeyUse[] {
    const uses = [...fresh];
    fresh.clear();
    return uses;
  }

  /** Removes the keys that were stored until a time, and returns those that were used since. */
  function takeStored(until: number): readonly KeyUse[] {
    const uses: KeyUse[] = [];
    for (const [keyId, { since, usedAt }] of stored) {
      if (since > until) break;
      stored.delete(keyId);
      if (usedAt !== null) uses.push([keyId, usedAt]);
    }
    return uses;
  }

  function add(uses: readonly KeyUse[]): void {
    const since = performance.now();
    for (const [keyId] of uses) stored.set(keyId, { since, usedAt: null });
    writing = writing.then(async () => {
      for (let start = 0; start < uses.length; start += KEYS_AT_ONCE) {
        await write(uses.slice(start, start + KEYS_AT_ONCE));
      }
    });
    waitForNext();
  }

  async function write(uses: readonly KeyUse[]): Promise<void> {
    try {
      await store(uses);
    } catch (err) {
      log.debug({ err }, 'the last use of API keys could not be stored');
      // Tries again after a minute.
      for (const [keyId, usedAt] of uses) {
        const known = stored.get(keyId);
        if (known) known.usedAt ??= usedAt;
      }
    }
  }

  function waitForNext(): void {
    const [next] = stored.values();
    if (!next || dueTimer !== undefined) return;
    dueTimer = setTimeout(
      () => {
        dueTimer = undefined;
        add(takeStored(performance.now() - STORE_EVERY_MS));
      },
      // Due since the caller read the clock: Node.js warns of a negative delay on stderr.
      Math.max(0, next.since + STORE_EVERY_MS - performance.now()),
    ).unref();
  }
}
