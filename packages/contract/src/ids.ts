/** Prefix of the ids of each kind of object (specification, Conventions; further kinds by decision). */
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
  session: 'ses',
  request: 'req',
} as const;

/** A kind of object that has ids. */
export type IdKind = keyof typeof ID_PREFIXES;

/**
 * Switch for typed ids. A program turns them on by declaration merging; then an id of another kind does not compile:
 * `declare module '@plat/contract' { interface TypedIds { enabled: true } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add the property by declaration merging
export interface TypedIds {}

/** An id of one kind: text, or with {@link TypedIds} text with the prefix of the kind, for example `cli_${string}`. */
export type Id<K extends IdKind> = TypedIds extends { enabled: true } ? `${(typeof ID_PREFIXES)[K]}_${string}` : string;

/**
 * The opaque part of an id: 128 bits in lower-case Crockford base 32, milliseconds first. Ids of one kind therefore
 * sort by creation time. Always 26 characters, the first of them 0 to 7.
 */
export const ID_PATTERN = '[0-7][0-9a-hjkmnp-tv-z]{25}';

const patterns = new Map<IdKind, RegExp>();

/** Returns true if the value is a well-formed id of the kind. The object need not exist. */
export function isId(kind: IdKind, value: unknown): value is string {
  let pattern = patterns.get(kind);
  if (!pattern) {
    pattern = new RegExp(`^${ID_PREFIXES[kind]}_${ID_PATTERN}$`);
    patterns.set(kind, pattern);
  }
  return typeof value === 'string' && value.length === 30 && pattern.test(value);
}

/** Digits of the opaque part, lowest first: Crockford base 32. */
export const ID_DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const OTHER_DIGITS = 16;

/** Encodes a whole number that is not negative in `length` digits of an id. */
export function idDigits(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ID_DIGITS.charAt(rest % ID_DIGITS.length) + text;
    rest = Math.floor(rest / ID_DIGITS.length);
  }
  return text;
}

/**
 * Returns the first digits of the opaque part for ids created at a time.
 * @param ms - milliseconds since the epoch; negative values count as 0
 */
export function idTime(ms: number): string {
  return idDigits(Math.max(0, ms), TIME_DIGITS);
}

/** Returns the lower bound of the opaque parts of all ids created at `ms` or later, for time ranges. */
export function lowestIdPart(ms: number): string {
  return idTime(ms) + '0'.repeat(OTHER_DIGITS);
}

/** Returns the creation time of a well-formed id, in ms since the epoch. */
export function timeOfId(id: string): number {
  let time = 0;
  for (const digit of id.slice(4, 4 + TIME_DIGITS)) time = time * ID_DIGITS.length + ID_DIGITS.indexOf(digit);
  return time;
}
