import { ALL_EVENT_TYPES, ID_PREFIXES, LIMITS } from '@plat/contract';
import type { JsonSchema, Source } from '@plat/contract/schemas';

const astral = (length: number): string => '😀'.repeat(length);
const lengths = [1, 2, 5, 62, 63, 64, 65, 199, 200, 201, 253, 254, 255, 499, 500, 501, 2047, 2048, 2049];

/** Texts that one format accepts and another refuses, and texts at the limits of every length. */
const TEXTS: readonly string[] = [
  ...['', ' ', '  ', 'a', ' a ', '\ta\n', 'a\nb', 'a\tb', 'Acme Ltd', 'acme', 'a-b', 'a--b', '-a', 'a-', 'A', 'ä'],
  ...['a_b', 'a__b', '_a', '1a', 'owner', 'client_admin', 'orders:read', 'a.b:c', 'a:', 'client.updated', 'Client.x'],
  ...['ada@example.com', ' ada@example.com ', 'a..b@example.com', 'ada@-x.com', 'ada@localhost', 'jörg@münchen.de'],
  ...['\u212Aate@example.com', 'a@b@example.com', '"a b"@example.com', '用户@例子.广告', 'ada@1.2.3.4', 'a@b.cd'],
  ...['shop.example.com', 'Shop.Example.COM', 'münchen.de', 'localhost', '1.2.3.4', 'a..b', 'http://a.com', 'a.com/'],
  ...['DE', 'de', 'ZZ', 'XX', 'ß', 'D1', 'DEU', 'Europe/Berlin', 'europe/berlin', 'utc', 'UTC', 'EST', '+01:00'],
  ...['Mars/Olympus', 'en', 'de-CH', 'DE-ch', 'en_US', 'iw', 'e', 'zh-hant-tw', `en-x-${'abcdefgh-'.repeat(8)}a`],
  ...['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123456789+02:00', '2026-01-31', '2026-13-01T00:00:00Z', 'now'],
  ...['2026-01-31T12:00Z', '2026-02-31T12:00:00Z', 'https://example.com/hooks', 'http://localhost:1'],
  ...['\0', 'a\0b', 'a\u202eb', 'a\u200bb', 'a\ud800', '\u2028', 'e\u0301', '👩‍👩‍👧', 'می\u200cخواهم', '__proto__'],
  ...[
    'active',
    'inactive',
    'suspended',
    'enabled',
    'open',
    'paid',
    'failed',
    'missed',
    'pending',
    'faild',
    'GET',
    '*',
    'null',
  ],
  ...['INVALID_BODY', 'clients.create', ...ALL_EVENT_TYPES.slice(0, 3)],
  ...['0', '1', '20', '100', '101', '-1', '1.5', '1e1', '0x10', '007', '١', '999999999', '1000000000'],
  ...Object.values(ID_PREFIXES).map((prefix) => `${prefix}_01k0z8k3v7e5q2m9t4r6w1x8c0`),
  ...['cli_81k0z8k3v7e5q2m9t4r6w1x8c0', 'cli_01K0Z8K3V7E5Q2M9T4R6W1X8C0', 'cli_01k0z8k3v7e5q2m9t4r6w1x8c0\n', 'cli_'],
  ...lengths.flatMap((length) => ['a'.repeat(length), astral(length), ` ${'b'.repeat(length)} `]),
  `${'a'.repeat(64)}@example.com`,
  `${'a'.repeat(65)}@example.com`,
  `a@${'b.'.repeat(124)}com`,
  `${'b.'.repeat(125)}com`,
  `${'a'.repeat(63)}.com`,
  `${'a'.repeat(64)}.com`,
];

const NUMBERS: readonly number[] = [
  ...[0, 1, -1, 1.5, 59, 60, 61, 3599, 3600, 3601, 86_399, 86_400, 86_401, 1e17, Number.MAX_SAFE_INTEGER],
  LIMITS.page.max,
  // JSON.parse('1e400')
  Number.POSITIVE_INFINITY,
];

const LISTS: readonly (readonly unknown[])[] = [
  [],
  [null],
  ['*'],
  ['client.created', '*'],
  ['client.created', 1, ''],
  [['client.created']],
  [' a '],
  Array.from({ length: 21 }, () => 'client.created'),
  Array.from({ length: 22 }, () => 'client.created'),
  Array.from({ length: 23 }, () => 1),
  Array.from({ length: 200 }, () => 'orders:read'),
  Array.from({ length: 201 }, () => 'orders:read'),
];

/** Valid and invalid values of a body field. */
export const BODY_VALUES: readonly unknown[] = [...[null, true, false, {}, { a: 1 }], ...TEXTS, ...NUMBERS, ...LISTS];

/** Valid and invalid values of a query parameter. A repeated parameter is a list. */
export const QUERY_VALUES: readonly unknown[] = [...TEXTS, ['1', '2'], ['a', 'a'], []];

/** Returns a value that the schema accepts, from its documentation. In a query it is text. */
export function exampleFor({ examples, enum: values, minimum, type }: JsonSchema, source: Source): unknown {
  if (examples) return examples[0];
  if (values) return values[0];
  if (type === 'string') return 'a';
  return source === 'query' ? String(minimum) : minimum;
}
