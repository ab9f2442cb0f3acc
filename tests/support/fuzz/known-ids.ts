import { ID_PATTERN } from '@plat/contract';

const ID = new RegExp(`^([a-z]{3})_${ID_PATTERN}$`);
/** Number of stored objects per kind, the first and the latest. Few, so that calls meet the objects of others. */
const KEPT = { first: 4, latest: 6 };

/** Ids that the server has returned, with the ids in the same object. */
export interface KnownIds {
  /** Stores the ids of every object in a response, and removes the id that the response reports as deleted. */
  record(answer: unknown): void;
  /** Returns one id for each prefix, all of one object if there is one: a location and its client. */
  together(prefixes: readonly string[], nth: number): readonly string[] | undefined;
  /** Returns one id of any kind. */
  any(nth: number): string | undefined;
}

/** Prefix → id, of one object. */
type Companions = ReadonlyMap<string, string>;

export function createKnownIds(): KnownIds {
  let known: Companions[] = [];

  function record(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    if ('deleted' in value && 'id' in value) {
      known = known.filter((companions) => ![...companions.values()].some((id) => id === value.id));
      return;
    }
    const companions = new Map(Object.values(value).flatMap((field) => prefixed(field)));
    if (companions.size > 0) {
      const kind = [...companions.keys()].join();
      const alike = known.filter((each) => [...each.keys()].join() === kind);
      const others = alike.filter((each) => !same(each, companions));
      const kept = [...others.slice(0, KEPT.first), ...others.slice(KEPT.first).slice(1 - KEPT.latest), companions];
      known = [...known.filter((each) => !alike.includes(each)), ...kept];
    }
    for (const inner of Object.values(value)) record(inner);
  }

  return {
    record,
    together(prefixes, nth) {
      const fitting = known.filter((companions) => prefixes.every((prefix) => companions.has(prefix)));
      const found = fitting[nth % fitting.length];
      return found && prefixes.map((prefix) => found.get(prefix) ?? '');
    },
    any(nth) {
      const ids = known.flatMap((companions) => [...companions.values()]);
      return ids[nth % ids.length];
    },
  };
}

function prefixed(field: unknown): (readonly [string, string])[] {
  const [id, prefix] = typeof field === 'string' ? (ID.exec(field) ?? []) : [];
  return id !== undefined && prefix !== undefined ? [[prefix, id]] : [];
}

function same(one: Companions, other: Companions): boolean {
  return [...one.values()].join() === [...other.values()].join();
}
