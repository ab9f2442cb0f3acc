import type { BearerToken } from '../credential.ts';
import type { LiveRecord } from './grant-record.ts';
import type { GrantStore } from './grant-store.ts';

/** An access token that knows which pair it comes of, so that a refusal of an older one can be told. */
export interface GenerationToken extends BearerToken {
  readonly generation: number;
}

/** A pair as it is used: times in ms. */
export interface HeldGrant {
  readonly token: GenerationToken;
  /** From here on it is renewed in the background. */
  readonly refreshAt: number;
  /** From here on a call waits for the renewal. */
  readonly blockAt: number;
  readonly expiresAt: number;
}

/** A new pair that the service gave and the store did not take yet. */
export interface UnsavedPair {
  /** The generation whose refresh token was spent for it. */
  readonly spent: number;
  readonly record: LiveRecord;
}

/**
 * What one process knows of one grant. Functions over closed variables: nothing of it can be printed. Copies of this
 * package of the same entry format meet in it, so a changed member means another number in {@link REGISTRY}.
 */
export interface GrantEntry {
  held(): HeldGrant | null;
  hold(held: HeldGrant | null): void;
  /** The generation that the service refused last, though it should have worked. */
  refused(): number | null;
  refuse(generation: number): void;
  /** Before this time (ms) nothing is tried while the token at hand lives. */
  retryAt(): number;
  retryNotBefore(time: number): void;
  unsaved(): UnsavedPair | null;
  keepUnsaved(pair: UnsavedPair | null): void;
  flight(): Promise<void> | null;
  /** Begins a flight, unless one is under way: then that one is given. */
  fly(run: () => Promise<void>): Promise<void>;
}

const REGISTRY = Symbol.for('@plat/sdk grants 1');
/** Grants remembered for one store; an app may act for any number of tenants. */
const MAX_ENTRIES = 10_000;

type Entries = Map<string, GrantEntry>;
interface Registry {
  readonly byId: Map<string, Entries>;
  readonly byStore: WeakMap<object, Entries>;
}

/** The one entry of this process for a grant; `name` has everything that tells it from others of the same store. */
export function entryOf(store: GrantStore, name: string): GrantEntry {
  const entries = entriesOf(store);
  const found = entries.get(name);
  if (found) return found;
  for (const [other, entry] of entries) {
    if (entries.size < MAX_ENTRIES) break;
    if (!entry.flight() && !entry.unsaved()) entries.delete(other);
  }
  const entry = createEntry();
  entries.set(name, entry);
  return entry;
}

function entriesOf(store: GrantStore): Entries {
  const { byId, byStore } = registry();
  const found = store.id === undefined ? byStore.get(store) : byId.get(store.id);
  if (found) return found;
  const entries: Entries = new Map();
  if (store.id === undefined) byStore.set(store, entries);
  else byId.set(store.id, entries);
  return entries;
}

function registry(): Registry {
  const shared = globalThis as { [REGISTRY]?: Registry };
  if (!shared[REGISTRY]) {
    const value: Registry = { byId: new Map(), byStore: new WeakMap() };
    Object.defineProperty(shared, REGISTRY, { value, enumerable: false });
  }
  return shared[REGISTRY] ?? { byId: new Map(), byStore: new WeakMap() };
}

function createEntry(): GrantEntry {
  let held: HeldGrant | null = null;
  let refused: number | null = null;
  let retryAt = 0;
  let unsaved: UnsavedPair | null = null;
  let flight: Promise<void> | null = null;
  return {
    held: () => held,
    hold(next) {
      held = next;
      retryAt = 0;
    },
    refused: () => refused,
    refuse(generation) {
      refused = generation;
    },
    retryAt: () => retryAt,
    retryNotBefore(time) {
      retryAt = time;
    },
    unsaved: () => unsaved,
    keepUnsaved(pair) {
      unsaved = pair;
    },
    flight: () => flight,
    fly(run) {
      flight ??= run().finally(() => {
        flight = null;
      });
      return flight;
    },
  };
}
