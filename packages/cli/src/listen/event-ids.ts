/** The instant that an event's id begins with, in ms: when the change was made. */
export function timeOfEvent(id: string): number {
  let ms = 0;
  for (const digit of id.slice(PREFIX, PREFIX + TIME_CHARACTERS)) ms = ms * 32 + ALPHABET.indexOf(digit);
  return ms;
}

/** An id below those of all events made at `ms` or later: a bound for ranges of ids. */
export function lowestEventId(ms: number): string {
  return `evt_${encodeTime(Math.max(0, ms))}${'0'.repeat(RANDOM_CHARACTERS)}`;
}

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const PREFIX = 'evt_'.length;
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 16;

function encodeTime(ms: number): string {
  let rest = ms;
  let text = '';
  for (let i = 0; i < TIME_CHARACTERS; i++) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
