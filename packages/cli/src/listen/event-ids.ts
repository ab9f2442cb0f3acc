import { ID_PREFIXES, lowestIdPart } from '@plat/contract';

/** An id below those of all events made at `ms` or later: a bound for ranges of ids. */
export function lowestEventId(ms: number): string {
  return `${ID_PREFIXES.event}_${lowestIdPart(ms)}`;
}
