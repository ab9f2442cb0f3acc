import { expect, test } from 'vitest';
import { LIMITS } from './limits.ts';
import { check } from './schemas/check.ts';
import { slug } from './schemas/texts.ts';
import { distinctSlug, slugFromName } from './slug.ts';

test.each([
  ['Acme', 'acme'],
  ['  Crème Brûlée & Söhne  ', 'creme-brulee-sohne'],
  ['Straße 9', 'strasse-9'],
  ['株式会社', 'client'],
  ['--', 'client'],
])('%s becomes %s', (name, expected) => {
  expect(slugFromName(name, 'client')).toBe(expected);
});

test('every slug derived from a name is accepted by the API, also after distinctSlug', () => {
  for (const name of ['a'.repeat(200), `${'a'.repeat(54)} ${'b'.repeat(100)}`, '😀', 'x'.repeat(55)]) {
    const made = distinctSlug(slugFromName(name, 'client'), 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz');
    expect(check(slug(), made)).toEqual({ value: made, errors: [] });
    expect(made.length).toBeLessThanOrEqual(LIMITS.slug.max);
  }
});
