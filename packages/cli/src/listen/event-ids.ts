import { ID_PREFIXES, lowestIdPart } from '@plat/contract';

/** Returns the lower bound of the ids of events created at `ms` or later. */
export function lowestEventId(ms: number): string {
  return `${ID_PREFIXES.event}_${lowestIdPart(ms)}`;
}
