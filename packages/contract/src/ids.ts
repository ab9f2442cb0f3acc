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
