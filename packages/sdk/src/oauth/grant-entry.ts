import type { BearerToken } from '../credential.ts';
import type { Flight } from './flight.ts';
import type { LiveRecord } from './grant-record.ts';
import type { GrantStore } from './grant-store.ts';

/** An access token with the generation of its pair, so that the refusal of an older token is recognized. */
export interface GenerationToken extends BearerToken {
  readonly generation: number;
}

/** The current token pair; times in ms. */
export interface HeldGrant {
  readonly token: GenerationToken;
  /** From this time on, the pair is renewed in the background. */
  readonly refreshAt: number;
  /** From this time on, a call waits for the renewal. */
  readonly blockAt: number;
  readonly expiresAt: number;
}

/** A new pair that is not yet stored. */
export interface UnsavedPair {
  /** Generation whose refresh token was spent for this pair. */
  readonly spent: number;
  readonly record: LiveRecord;
}

/**
 * State of one grant in one process. Its functions close over local variables, so that nothing can be printed. Copies
 * of this package with the same entry format share it: change the number in {@link REGISTRY} when a member changes.
 */
export interface GrantEntry {
  held(): HeldGrant | null;
  hold(held: HeldGrant | null): void;
  /** Generation that the service last refused before its expiry; null if none. */
  refused(): number | null;
  refuse(generation: number): void;
  /** Time (ms) before which no renewal is tried while the current token is valid. */
  retryAt(): number;
  retryNotBefore(time: number): void;
  unsaved(): UnsavedPair | null;
  keepUnsaved(pair: UnsavedPair | null): void;
  /** Returns the renewal that is running, or null. */
  flight(): Flight | null;
  /** Shares a renewal until it has ended. The caller has checked that none is running. */
  setFlight(started: Flight): Flight;
  /** Forgets a renewal that the runtime stopped. */
  abandon(flight: Flight): void;
  /** Returns the id of the last renewal that the runtime stopped, or null. */
  abandoned(): string | null;
}

const REGISTRY = Symbol.for('@plat/sdk grants 3');
/** Maximum number of grants in memory for one store, because an app can act for any number of tenants. */
const MAX_ENTRIES = 10_000;

type Entries = Map<string, GrantEntry>;
interface Registry {
  readonly byId: Map<string, Entries>;
  readonly byStore: WeakMap<object, Entries>;
}

/** Returns the only entry of this process for a grant. `name` distinguishes it from all others of the same store. */
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
  const known = shared[REGISTRY];
  if (known) return known;
  const value: Registry = { byId: new Map(), byStore: new WeakMap() };
  Object.defineProperty(shared, REGISTRY, { value });
  return value;
}

function createEntry(): GrantEntry {
  let held: HeldGrant | null = null;
  let refused: number | null = null;
  let retryAt = 0;
  let unsaved: UnsavedPair | null = null;
  let flight: Flight | null = null;
  let abandoned: string | null = null;
  const forget = (ended: Flight): void => {
    if (flight === ended) flight = null;
  };
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
    setFlight(started) {
      flight = started;
      started.done.finally(() => forget(started)).catch(() => {});
      return started;
    },
    abandon(dead) {
      if (flight === dead) abandoned = dead.id;
      forget(dead);
    },
    abandoned: () => abandoned,
  };
}
