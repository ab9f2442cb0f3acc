import { COUNTRIES } from '@plat/contract/schemas';
import { expect, test } from 'vitest';
import { ApiError } from '../kernel/api-error.ts';
import {
  array,
  capability,
  country,
  deleted,
  describe,
  domain,
  email,
  id,
  integer,
  integerText,
  listOf,
  locale,
  name,
  notBoth,
  nullable,
  object,
  oneOf,
  oneOfBy,
  optional,
  type Rule,
  roleName,
  slug,
  string,
  text,
  timestamp,
  timezone,
} from './rules.ts';
import { validate } from './validate.ts';

test.each([
  ['Example.COM', 'example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
])('the domain %s is kept as %s', (given, kept) => {
  expect(validate('INVALID_BODY', domain(), given)).toBe(kept);
});

test.each(['localhost', '1.2.3.4', 'a..b', '-a.com', 'http://a.com', 'a.com/', 'a_b.com', ''])(
  '%j is no domain',
  (given) => {
    expect(() => validate('INVALID_BODY', domain(), given)).toThrow(ApiError);
  },
);

test.each(['Acme', 'a--b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(64)])('%j is no slug', (given) => {
  expect(() => validate('INVALID_BODY', slug(), given)).toThrow(ApiError);
});

test.each(['0', '101', '1.5', '1e1', ' 5', '-1', '', '0x10'])('%j is no limit', (given) => {
  expect(() => validate('INVALID_REQUEST', integerText({ min: 1, max: 100 }), given)).toThrow(ApiError);
});

test.each(['2026-01-31', '2026-01-31T12:00:00', '2026-13-01T00:00:00Z', 'now'])('%j is no timestamp', (given) => {
  expect(() => validate('INVALID_REQUEST', timestamp(), given)).toThrow(ApiError);
});

test.each([
  ['  Ada@Example.COM ', 'Ada@Example.COM'],
  ["o'neil+tag_1@sub.example.co.uk", "o'neil+tag_1@sub.example.co.uk"],
  ['jörg@münchen.de', 'jörg@münchen.de'],
  ['用户@例子.广告', '用户@例子.广告'],
])('the address %j is kept as %j', (given, kept) => {
  expect(validate('INVALID_BODY', email(), given)).toBe(kept);
});

test.each([
  'ada',
  '@example.com',
  'ada@',
  'a@b@example.com',
  'ada@localhost',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ada@-a.com',
  'ada@example.com/x',
  '.ada@example.com',
  'a..b@example.com',
  'a b@example.com',
  '"a b"@example.com',
  'Ada <ada@example.com>',
  'a,b@example.com',
  'ada@example.com\r\nBcc: x@example.com',
  'a\u202eb@example.com',
  'a\u200bb@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b.'.repeat(130)}com`,
  '',
])('%j is no address', (given) => {
  expect(() => validate('INVALID_BODY', email(), given)).toThrow(ApiError);
});

test.each([
  ['en', 'en'],
  ['DE-ch', 'de-CH'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
])('the locale %s is kept as %s', (given, kept) => {
  expect(validate('INVALID_BODY', locale(), given)).toBe(kept);
});

test.each(['', 'e', 'en_US', 'deutsch-!', 'en-', `en-${'a'.repeat(9)}`, `en-x-${'abcdefgh-'.repeat(8)}a`])(
  '%j is no locale',
  (given) => {
    expect(() => validate('INVALID_BODY', locale(), given)).toThrow(ApiError);
  },
);

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
])('the time zone %s is kept as %s', (given, kept) => {
  expect(validate('INVALID_BODY', timezone(), given)).toBe(kept);
});

test.each([
  '',
  '+01:00',
  '-05',
  'Mars/Olympus',
  'Berlin',
  'Europe/Berlin ',
  '../etc/passwd',
  'PST',
  'EST5EDT',
  'asia/kolkata',
])('%j is no time zone', (given) => {
  expect(() => validate('INVALID_BODY', timezone(), given)).toThrow(ApiError);
});

test('a country is one of the 249 codes, whatever the case', () => {
  expect(COUNTRIES.size).toBe(249);
  expect(validate('INVALID_BODY', country(), 'de')).toBe('DE');
  // The upper case of the last ones is a code.
  for (const given of ['', 'D', 'DEU', 'XX', 'EU', 'UK', 'D1', ' DE', 'ß', 'ﬁ', 'ſe']) {
    expect(() => validate('INVALID_BODY', country(), given), given).toThrow(ApiError);
  }
});

test.each(['Owner', 'a__b', '_a', 'a_', '1a', 'a-b', 'ä', '', 'a'.repeat(64)])('%j is no role name', (given) => {
  expect(() => validate('INVALID_BODY', roleName(), given)).toThrow(ApiError);
  expect(validate('INVALID_BODY', roleName(), 'client_admin2')).toBe('client_admin2');
});

test.each(['A', 'a:', ':a', 'a::b', 'a b', '1a', '', 'a'.repeat(65)])('%j is no capability', (given) => {
  expect(() => validate('INVALID_BODY', capability(), given)).toThrow(ApiError);
  expect(validate('INVALID_BODY', capability(), 'stock-take.v2:read')).toBe('stock-take.v2:read');
});

test('a name is trimmed, and blank is not a name', () => {
  expect(validate('INVALID_BODY', name(), '  Acme  ')).toBe('Acme');
  expect(() => validate('INVALID_BODY', name(), '   ')).toThrow(ApiError);
});

test('every wrong field is named, unknown ones too', () => {
  const rule = object<{ a: string; b?: 'x' | 'y' }>({ a: text(5), b: optional(oneOf(['x', 'y'])) });
  try {
    validate('INVALID_BODY', rule, { a: 'toolong', b: 'z', c: 1 });
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error instanceof ApiError && error.errors?.map(({ path }) => path)).toEqual(['a', 'b', 'c']);
  }
});

test('a rule fits its type exactly: each line below would not compile otherwise', () => {
  const exact: Rule<'x' | 'y'> = oneOf(['x', 'y']);
  // @ts-expect-error a rule of fewer values
  const fewer: Rule<'x' | 'y' | 'z'> = exact;
  // @ts-expect-error null is not allowed by the rule
  const notNull: Rule<string | null> = text(5);
  // @ts-expect-error the items differ
  const items: Rule<readonly number[]> = array(text(5));
  // @ts-expect-error the field must be optional
  const missing: Rule<{ a?: string }> = object<{ a?: string }>({ a: text(5) });
  // @ts-expect-error a field is forgotten
  const forgotten: Rule<{ a: string; b: string | null }> = object<{ a: string; b: string | null }>({ a: text(5) });
  const whole = object<{ a: string; b: string | null }>({ a: text(5), b: nullable(text(5)) });
  for (const rule of [exact, fewer, notNull, items, missing, forgotten, whole]) expect(rule.schema).toBeDefined();
});

test('the JSON Schema of a rule says what the rule takes', () => {
  interface Thing {
    id: string;
    kind: 'thing';
    note: string | null;
    size?: 'big' | 'small' | null;
    tags: readonly string[];
    created_at: string;
  }
  const rule = object<Thing>('Thing', {
    id: id('client'),
    kind: oneOf(['thing']),
    note: nullable(describe(text(5), 'A note.', 'hello')),
    size: optional(nullable(oneOf(['big', 'small']))),
    tags: array(string(), { max: 3 }),
    created_at: timestamp(),
  });
  expect(rule.json).toMatchObject({
    title: 'Thing',
    type: 'object',
    required: ['id', 'kind', 'note', 'tags', 'created_at'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', pattern: expect.stringMatching(/^\^cli_/), description: 'Id of the client.' },
      kind: { const: 'thing' },
      note: { type: ['string', 'null'], maxLength: 5, description: 'A note.', examples: ['hello'] },
      size: { type: ['string', 'null'], enum: ['big', 'small', null] },
      tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
      created_at: { format: 'date-time', description: 'When it was created.' },
    },
  });
});

test('a named object keeps its own description where a field that holds it has one too', () => {
  const inner = describe(object<{ a: string }>('Inner', { a: string() }), 'What it is.');
  const outer = object<{ inner: { a: string } }>({ inner: describe(inner, 'What it is for.') });
  expect(outer.json.properties?.['inner']).toEqual({ allOf: [inner.json], description: 'What it is for.' });
  expect(nullable(inner).json).toEqual({ anyOf: [inner.json, { type: 'null' }] });
});

test('an object of two names for one thing says that both are too many', () => {
  const rule = notBoth(object<{ a?: string; b?: string }>({ a: optional(string()), b: optional(string()) }), 'a', 'b');
  expect(rule.json).toMatchObject({ not: { required: ['a', 'b'] } });
});

test('one of several objects is checked by the field that tells them apart', () => {
  type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number };
  const size = () => integer({ min: 0, max: 9 });
  const rule = oneOfBy<Shape, 'kind'>('Shape', 'kind', {
    circle: object<{ kind: 'circle'; radius: number }>('Circle', { kind: oneOf(['circle']), radius: size() }),
    square: object<{ kind: 'square'; side: number }>('Square', { kind: oneOf(['square']), side: size() }),
  });
  expect(validate('INVALID_BODY', rule, { kind: 'square', side: 3 })).toEqual({ kind: 'square', side: 3 });
  for (const wrong of [{ kind: 'square', radius: 3 }, { kind: 'line', side: 3 }, { side: 3 }, null]) {
    expect(() => validate('INVALID_BODY', rule, wrong)).toThrow(ApiError);
  }
  expect(rule.json.discriminator?.mapping).toEqual({ circle: 'Circle', square: 'Square' });
});

test('the answer to a DELETE, and a list, are named after what they hold', () => {
  expect(deleted('group_member', 'client').json.title).toBe('DeletedGroupMember');
  expect(listOf(object<{ a: string }>('Thing', { a: string() })).json.title).toBe('ThingList');
});

test('a text is as long as it has characters, whatever their script', () => {
  expect(validate('INVALID_BODY', text(3), '😀😀😀')).toBe('😀😀😀');
  expect(() => validate('INVALID_BODY', text(3), '😀😀😀😀')).toThrow(/less than or equal to 3 characters/);
});

test('a list that is too long is refused as a whole, before its items', () => {
  const rule = object<{ items: readonly string[] }>({ items: array(string(), { max: 3 }) });
  const given = { items: [1, 2, 3, 4] };
  try {
    validate('INVALID_BODY', rule, given);
    expect.unreachable();
  } catch (error) {
    expect(error instanceof ApiError && error.errors?.map(({ path }) => path)).toEqual(['items']);
  }
});
