import { ID_PREFIXES, type IdKind } from '@plat/contract';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_CHARACTERS = 10;
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
    return `${ID_PREFIXES[kind]}_${digits(last, TIME_CHARACTERS)}${digits(counter, COUNTER_CHARACTERS)}`;
  };
}

function digits(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
