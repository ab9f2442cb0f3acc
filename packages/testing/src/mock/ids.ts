import { ID_PREFIXES, type IdKind, idDigits, idTime } from '@plat/contract';

const COUNTER_CHARACTERS = 16;

/**
 * Creates ids in the format of the platform: milliseconds, then a counter instead of randomness. With a frozen clock
 * the same calls give the same ids. Ids always sort in the order of creation.
 */
export function createIds(clock: () => number): (kind: IdKind) => string {
  let counter = 0;
  let last = 0;
  return (kind) => {
    last = Math.max(last, clock());
    counter += 1;
    return `${ID_PREFIXES[kind]}_${idTime(last)}${idDigits(counter, COUNTER_CHARACTERS)}`;
  };
}
