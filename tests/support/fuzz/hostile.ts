import fc from 'fast-check';

/** Text that has broken servers before. */
const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udc00y',
  '\ufeff',
  '\u202e\u200b',
  '😀'.repeat(64),
  'a'.repeat(201),
  'a'.repeat(5000),
  "'",
  "' OR '1'='1",
  "'; DROP TABLE clients; --",
  '\\',
  '%',
  '_',
  '%_%',
  '?',
  ':tenantId',
  '$1',
  '#{7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'a\r\nX-Injected: 1',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'true',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e308',
  '١٢٣',
  '[object Object]',
  'http://169.254.169.254/',
  'http://[::1]:1/',
  'javascript:alert(1)',
  'a@b',
  '"a b"@example.com',
  'xn--',
  '9999-12-31T23:59:59.999999999Z',
  '-271821-04-20T00:00:00Z',
  '0000-00-00T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  'Etc/GMT+99',
];

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat({ max: 3000 }).map((length) => 'ä'.repeat(length)) },
);

const NUMBERS = [0, -0, -1, 1.5, 1e308, -1e308, 5e-324, 2 ** 31, 2 ** 53, 2 ** 63, 1e21];

/** Values of a wrong type. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(...NUMBERS, true, false, null, [], {}, [[]], [null]) },
  { weight: 1, arbitrary: fc.array(hostileText, { maxLength: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(hostileText, hostileText, { maxKeys: 3 }) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }).map(nested) },
  { weight: 1, arbitrary: fc.jsonValue() },
);

function nested(depth: number): unknown {
  return depth === 0 ? [] : depth % 2 === 0 ? [nested(depth - 1)] : { a: nested(depth - 1) };
}

/** Bodies as bytes that no JSON serializer writes. */
export const hostileBody: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      'null',
      '[]',
      '0',
      '""',
      '{',
      '{"name":"a"',
      '{"name":NaN}',
      '{"name":1e400}',
      '{"name":-0}',
      "{'name':'a'}",
      '{"name":"a",}',
      '{"name":"a","name":"b"}',
      '{"name":"\\ud800"}',
      '{"name":"\\u0000"}',
      '{"\\u0000":"a"}',
      '{"\\ud800":"a"}',
      '{"__proto__":{"name":"a"}}',
      '{"constructor":{"prototype":{"name":"a"}}}',
      '{"toString":"a","hasOwnProperty":1}',
      '\ufeff{"name":"a"}',
      'name=a&slug=b',
      '<name>a</name>',
    )
    .map((text) => Buffer.from(text)),
  fc.constantFrom(Buffer.from([0xff, 0xfe]), Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x7d])),
  fc
    .integer({ min: 100, max: 20_000 })
    .map((depth) => Buffer.from(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`)),
  fc.integer({ min: 1000, max: 300_000 }).map((length) => Buffer.from(JSON.stringify({ name: 'x'.repeat(length) }))),
  fc
    .integer({ min: 10, max: 5000 })
    .map((count) => Buffer.from(`{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join()}}`)),
  fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
);

/** Parts of a path or a query besides encoded text. */
export const hostileEncoding: fc.Arbitrary<string> = fc.constantFrom(
  '%',
  '%zz',
  '%0',
  '%00',
  '%c3%28',
  '%ed%a0%80',
  '%ff',
  '%2e%2e',
  '%2f',
  '%252f',
  '+',
  '..',
  '.',
  ';',
  '@',
  '[]',
  '%5b%5d',
  '%0d%0aX-Injected:%201',
);
