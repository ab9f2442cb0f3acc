import { expect, test } from 'vitest';
import { COUNTRIES } from '../countries.ts';
import { check } from './check.ts';
import type { Source } from './check-value.ts';
import type { JsonSchema } from './json-schema.ts';
import { answer, changes, deleted, field, listOf, nullable, object, times } from './objects.ts';
import {
  capability,
  country,
  domain,
  email,
  id,
  locale,
  name,
  roleName,
  slug,
  string,
  text,
  time,
  timeZone,
} from './texts.ts';
import { trim } from './trim.ts';
import { always, array, boolean, integer, oneOf } from './values.ts';

test.each([
  ['Example.COM', 'example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
])('the domain %s is kept as %s', (given, kept) => {
  expect(stored(domain(), given)).toBe(kept);
});

test.each(['localhost', '1.2.3.4', 'a..b', '-a.com', 'http://a.com', 'a.com/', 'a_b.com', ''])(
  '%j is not a domain',
  (given) => {
    expect(() => stored(domain(), given)).toThrow();
  },
);

test.each(['Acme', 'a--b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(64)])('%j is not a slug', (given) => {
  expect(() => stored(slug(), given)).toThrow();
});

test.each(['0', '101', '1.5', '1e1', ' 5', '-1', '', '0x10'])('%j is not a limit', (given) => {
  expect(() => stored(integer(1, 100), given, 'query')).toThrow();
});

test.each([
  ...['2026-01-31', '2026-01-31T12:00:00', '2026-13-01T00:00:00Z', 'now'],
  ...['2026-02-30T00:00:00Z', '2026-04-31T00:00:00Z', '2025-02-29T00:00:00+02:00', '2026-01-00T00:00:00Z'],
])('%j is not a timestamp', (given) => {
  expect(() => stored(time(), given)).toThrow();
});

test.each([
  ['  Ada@Example.COM ', 'Ada@Example.COM'],
  ["o'neil+tag_1@sub.example.co.uk", "o'neil+tag_1@sub.example.co.uk"],
  ['jörg@münchen.de', 'jörg@münchen.de'],
  ['用户@例子.广告', '用户@例子.广告'],
])('the address %j is kept as %j', (given, kept) => {
  expect(stored(email(), given)).toBe(kept);
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
  // U+212A, a Kelvin sign.
  '\u212Aate@example.com',
  'a\u202eb@example.com',
  'a\u200bb@example.com',
  `${'a'.repeat(65)}@example.com`,
  `a@${'b.'.repeat(130)}com`,
  '',
])('%j is not an address', (given) => {
  expect(() => stored(email(), given)).toThrow();
});

test.each([
  ['en', 'en'],
  ['DE-ch', 'de-CH'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
])('the locale %s is kept as %s', (given, kept) => {
  expect(stored(locale(), given)).toBe(kept);
});

test.each(['', 'e', 'en_US', 'deutsch-!', 'en-', `en-${'a'.repeat(9)}`, `en-x-${'abcdefgh-'.repeat(8)}a`])(
  '%j is not a locale',
  (given) => {
    expect(() => stored(locale(), given)).toThrow();
  },
);

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
])('the time zone %s is kept as %s', (given, kept) => {
  expect(stored(timeZone(), given)).toBe(kept);
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
])('%j is not a time zone', (given) => {
  expect(() => stored(timeZone(), given)).toThrow();
});

test('a country is one of the 249 codes, in any case', () => {
  expect(COUNTRIES.size).toBe(249);
  expect(stored(country(), 'de')).toBe('DE');
  // The upper case of the last ones is a code.
  for (const given of ['', 'D', 'DEU', 'XX', 'EU', 'UK', 'D1', ' DE', 'ß', 'ﬁ', 'ſe']) {
    expect(() => stored(country(), given), given).toThrow();
  }
});

test.each(['Owner', 'a__b', '_a', 'a_', '1a', 'a-b', 'ä', '', 'a'.repeat(64)])('%j is not a role name', (given) => {
  expect(() => stored(roleName(), given)).toThrow();
  expect(stored(roleName(), 'client_admin2')).toBe('client_admin2');
});

test.each(['A', 'a:', ':a', 'a::b', 'a b', '1a', '', 'a'.repeat(65)])('%j is not a capability', (given) => {
  expect(() => stored(capability(), given)).toThrow();
  expect(stored(capability(), 'stock-take.v2:read')).toBe('stock-take.v2:read');
});

test('a name is trimmed, and a blank name is refused', () => {
  expect(stored(name(), '  Acme  ')).toBe('Acme');
  expect(() => stored(name(), '   ')).toThrow();
});

test('every invalid field is reported, also unknown ones, in the order of the schema', () => {
  const schema = object({ a: text(5), b: oneOf(null, ['x', 'y']), d: string() }, ['a', 'd']);
  expect(check(schema, { c: 1, b: 'z', a: 'too long' }).errors).toEqual([
    { path: 'a', message: 'length must be less than or equal to 5 characters long' },
    { path: 'b', message: 'must be one of x, y' },
    { path: 'd', message: 'is required' },
    { path: 'c', message: 'is not a known field' },
  ]);
});

test('a misspelt name of a field, also of an inner one, is answered with the near name', () => {
  const schema = object({ status: string(), address: object({ city: string() }) });
  expect(check(schema, { stauts: 'x', address: { ctiy: 'x', city: 'x' } }).errors).toEqual([
    { path: 'address.ctiy', message: 'is not a known field. Did you mean city?' },
    { path: 'stauts', message: 'is not a known field. Did you mean status?' },
  ]);
});

test('an undefined field of a response counts as absent', () => {
  expect(check(object({ a: string() }), { a: undefined }).errors).toEqual([]);
  expect(check(object({ a: string() }, ['a']), { a: undefined }).errors).toEqual([
    { path: 'a', message: 'is required' },
  ]);
});

test.each([
  ['{"a":1}', 'must be a string'],
  ['{"a":null}', 'must be a string'],
  ['{"a":""}', 'is not allowed to be empty'],
  ['{"b":"1"}', 'must be a number'],
  ['{"b":1.5}', 'must be an integer'],
  ['{"b":0}', 'must be greater than or equal to 1'],
  ['{"b":10}', 'must be less than or equal to 9'],
  ['{"b":1e400}', 'cannot be infinity'],
  ['{"b":1e17}', 'must be a safe number'],
  ['{"c":"true"}', 'must be a boolean'],
  ['{"d":"x"}', 'must be an array'],
  ['{"d":[]}', 'must contain at least 1 items'],
])('%s is refused: %s', (body, message) => {
  const schema = object({ a: text(5), b: integer(1, 9), c: boolean(), d: array(string(), undefined, { min: 1 }) });
  expect(check(schema, JSON.parse(body)).errors.map((error) => error.message)).toEqual([message]);
});

test.each([
  ['faild', 'is not a known value. Did you mean failed? It must be one of pending, failed'],
  ['FAILED', 'is not a known value. Did you mean failed? It must be one of pending, failed'],
  ['gone', 'must be one of pending, failed'],
  ['f'.repeat(100_000), 'must be one of pending, failed'],
  [7, 'must be one of pending, failed'],
])('a value that is not listed is refused with the list and a near value: %.20s', (given, message) => {
  expect(check(oneOf(null, ['pending', 'failed']), given).errors).toEqual([{ path: '', message }]);
});

test('the items of a list are named by their index', () => {
  const schema = object({ a: array(string()) });
  expect(check(schema, { a: ['x', 1, ''] }).errors).toEqual([
    { path: 'a.1', message: 'must be a string' },
    { path: 'a.2', message: 'is not allowed to be empty' },
  ]);
});

test('a nullable schema has null as a type and as a value', () => {
  expect(nullable(text(5, 'A note.', 'hello'))).toMatchObject({
    type: ['string', 'null'],
    maxLength: 5,
    description: 'A note.',
    examples: ['hello'],
  });
  expect(nullable(oneOf('Size', ['big', 'small']))).toMatchObject({
    type: ['string', 'null'],
    enum: ['big', 'small', null],
  });
});

test('every field of a response is required, and no field of a change', () => {
  const fields = { id: id('client'), ...times };
  expect(answer('Thing', 'A thing.', fields)).toMatchObject({
    title: 'Thing',
    required: ['id', 'created_at', 'updated_at'],
    additionalProperties: false,
  });
  expect(changes('ThingUpdateParams', fields).required).toBeUndefined();
});

test('a named object keeps its own description if a field that holds it also has one', () => {
  const inner = answer('Inner', 'The inner object.', { a: string('A text.') });
  const schema = object({ inner: field(inner, 'Its purpose.') }, ['inner']);
  expect(schema.properties?.['inner']).toEqual({ allOf: [inner], description: 'Its purpose.' });
  expect(nullable(field(inner, 'Its purpose.')).anyOf).toEqual([inner, { type: 'null' }]);
  expect(check(schema, { inner: { a: 1 } }).errors).toEqual([{ path: 'inner.a', message: 'must be a string' }]);
});

test('two names of one field exclude each other', () => {
  const schema = { ...object({ a: string(), b: string() }), not: { required: ['a', 'b'] } };
  expect(check(schema, { a: 'x' }).errors).toEqual([]);
  expect(check(schema, { a: 'x', b: 'y' }).errors).toEqual([
    { path: '', message: 'a and b are the same field; give one of them' },
  ]);
});

test('the discriminator selects the schema that checks the object', () => {
  const schema: JsonSchema = {
    oneOf: [
      object({ kind: always('circle'), radius: integer(0, 9) }, ['kind', 'radius']),
      object({ kind: always('square'), side: integer(0, 9) }, ['kind', 'side']),
    ],
    discriminator: { propertyName: 'kind', mapping: {} },
  };
  expect(check(schema, { kind: 'square', side: 3 }).errors).toEqual([]);
  for (const wrong of [{ kind: 'square', radius: 3 }, { kind: 'line', side: 3 }, { side: 3 }, null]) {
    expect(check(schema, wrong).errors).not.toEqual([]);
  }
});

test('the response to a DELETE and a list are named after their object', () => {
  expect(deleted('group_member', 'client').title).toBe('DeletedGroupMember');
  expect(listOf(answer('Thing', 'A thing.', {}))).toMatchObject({ title: 'ThingList', 'x-type': 'List<Thing>' });
});

test('text length counts characters in any script', () => {
  expect(stored(text(3), '😀😀😀')).toBe('😀😀😀');
  expect(() => stored(text(3), '😀😀😀😀')).toThrow(/less than or equal to 3 characters/);
});

test('a list that is too long is refused as a whole, before its items are checked', () => {
  const schema = object({ items: array(string(), undefined, { max: 3 }) });
  expect(check(schema, { items: [1, 2, 3, 4] }).errors).toEqual([
    { path: 'items', message: 'must contain less than or equal to 3 items' },
  ]);
});

test('only texts marked with x-trim are trimmed, also in lists', () => {
  const schema = object({ a: name(), b: slug(), c: array(text(9)) });
  expect(trim(schema, { a: ' x ', b: ' x ', c: [' x ', 1], d: ' x ' })).toEqual({
    a: 'x',
    b: ' x ',
    c: ['x', 1],
    d: ' x ',
  });
});

/** Returns the value as the service stores it. @throws if the value is refused */
function stored(schema: JsonSchema, given: unknown, source: Source = 'body'): unknown {
  const { value, errors } = check(schema, trim(schema, given), source);
  if (errors[0]) throw new Error(errors[0].message);
  return value;
}
