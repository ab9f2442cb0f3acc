/** Kind of object → the prefix of its ids (specification, Conventions; further kinds as decided). */
export const ID_PREFIXES = {
  tenant: 'tnt',
  client: 'cli',
  group: 'grp',
  user: 'usr',
  location: 'loc',
  role: 'rol',
  module: 'mod',
  plan: 'pln',
  invoice: 'inv',
  payment: 'pay',
  audit_event: 'aud',
  webhook_endpoint: 'whe',
  event: 'evt',
  webhook_delivery: 'del',
  webhook_replay: 'rpl',
  api_key: 'key',
  app: 'app',
  grant: 'gra',
  developer: 'dev',
  developer_token: 'dvt',
  request: 'req',
} as const;

/** A kind of object that has ids. */
export type IdKind = keyof typeof ID_PREFIXES;

/**
 * The opaque part of an id: 128 bits in lower-case Crockford base 32, milliseconds first, so ids of one kind
 * sort by the time they were made. Always 26 characters, the first of them 0 to 7.
 */
export const ID_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}';

const patterns = new Map<IdKind, RegExp>();

/** Whether a value is a well-formed id of a kind. It says nothing about whether the object exists. */
export function isId(kind: IdKind, value: unknown): value is string {
  let pattern = patterns.get(kind);
  if (!pattern) {
    pattern = new RegExp(`^${ID_PREFIXES[kind]}_${ID_PATTERN}$`);
    patterns.set(kind, pattern);
  }
  return typeof value === 'string' && value.length === 30 && pattern.test(value);
}

/** The digits of the opaque part, the lowest first: Crockford base 32. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const OTHER_DIGITS = 16;

/** A whole number, not negative, in so many digits of an id. */
export function idDigits(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ID_DIGITS.charAt(rest % ID_DIGITS.length) + text;
    rest = Math.floor(rest / ID_DIGITS.length);
  }
  return text;
}

/** How the opaque part of an id that is made at an instant begins. @param ms since the epoch; what is before it counts as 0 */
export function idTime(ms: number): string {
  return idDigits(Math.max(0, ms), TIME_DIGITS);
}

/** The opaque part below those of all ids that are made at `ms` or later: a bound for ranges of time. */
export function lowestIdPart(ms: number): string {
  return idTime(ms) + '0'.repeat(OTHER_DIGITS);
}

/** The instant, in ms since the epoch, that a well-formed id was made at. */
export function timeOfId(id: string): number {
  let time = 0;
  for (const digit of id.slice(4, 4 + TIME_DIGITS)) time = time * ID_DIGITS.length + ID_DIGITS.indexOf(digit);
  return time;
}
