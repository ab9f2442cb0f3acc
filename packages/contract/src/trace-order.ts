import type { TraceEntry } from './trace.ts';

/** Order of entries with the same time: from cause to effect. */
const RANKS: Readonly<Record<TraceEntry['kind'], number>> = {
  request: 0,
  change: 1,
  grant: 2,
  replay: 3,
  event: 4,
  attempt: 5,
};

/** The place of an entry: its first cause, and a time that is never before the times of its causes. */
interface Place {
  readonly root: TraceEntry;
  readonly at: string;
}

/**
 * Returns the entries of a trace with the newest first cause first, and the effects of a cause in the order of time. An
 * effect follows its cause, even if the clock of its process is behind.
 */
export function orderTrace(entries: readonly TraceEntry[]): TraceEntry[] {
  const byId = new Map(entries.filter(({ kind }) => kind !== 'grant').map((entry) => [entry.id, entry]));
  const places = new Map<TraceEntry, Place>();
  const placeOf = (entry: TraceEntry): Place => {
    const known = places.get(entry);
    if (known) return known;
    // Guards against a circle in wrong data.
    places.set(entry, { root: entry, at: entry.at });
    const cause = entry.caused_by === null ? undefined : byId.get(entry.caused_by);
    const before = cause && placeOf(cause);
    const place = before
      ? { root: before.root, at: entry.at < before.at ? before.at : entry.at }
      : { root: entry, at: entry.at };
    places.set(entry, place);
    return place;
  };
  const placed = entries.map((entry) => ({ entry, ...placeOf(entry) }));
  const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1);
  placed.sort(
    (a, b) =>
      compare(b.root.at, a.root.at) ||
      compare(b.root.id, a.root.id) ||
      compare(a.at, b.at) ||
      RANKS[a.entry.kind] - RANKS[b.entry.kind] ||
      compare(a.entry.id, b.entry.id),
  );
  return placed.map(({ entry }) => entry);
}
