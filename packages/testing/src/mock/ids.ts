import { ID_PREFIXES, type IdKind, idDigits, idTime } from '@plat/contract';

const COUNTER_CHARACTERS = 16;

/**
 * Makes ids in the shape of the platform's: milliseconds, then a counter in place of chance, so that with a clock that
 * stands still the same calls give the same ids. They sort in the order they were made, whatever the clock does.
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
