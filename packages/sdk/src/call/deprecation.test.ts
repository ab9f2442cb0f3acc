import { expect, test } from 'vitest';
import { readDeprecation } from './deprecation.ts';

const read = (headers: Readonly<Record<string, string>>) => readDeprecation({ get: (name) => headers[name] ?? null });

test('a response without the header has no deprecation notice', () => {
  expect(read({ sunset: 'Tue, 30 Jun 2026 00:00:00 GMT', link: '<https://a.example/>; rel="deprecation"' })).toBeNull();
});

test.each([
  ['a structured date (RFC 9745)', '@1769817600', '2026-01-31'],
  ['an HTTP date', 'Sat, 31 Jan 2026 00:00:00 GMT', '2026-01-31'],
  ['a date before 1970', '@-86400', '1969-12-31'],
  ['a date beyond the calendar', '@999999999999999', '@999999999999999'],
  ['the word of an early draft', 'true', 'true'],
])('%s is parsed', (_title, deprecation, day) => {
  expect(read({ deprecation })).toBe(`deprecated as of ${day}; it may be removed 90 days after the notice`);
});

test('the notice names the day of the removal and the page to read', () => {
  expect(
    read({
      deprecation: '@1769817600',
      sunset: 'Tue, 30 Jun 2026 00:00:00 GMT',
      link: '<https://a.example/?page=2>; rel="next", <https://a.example/new>; rel="deprecation"; type="text/html"',
    }),
  ).toBe('deprecated as of 2026-01-31; it may be gone from 2026-06-30; see https://a.example/new');
});

test('a secret that a proxy put into a header is redacted', () => {
  expect(read({ deprecation: 'plat_live_abc' })).not.toContain('abc');
});
