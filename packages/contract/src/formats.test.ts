import { expect, test } from 'vitest';
import { hasAsciiLookalike } from './formats.ts';

test('hasAsciiLookalike finds characters that Unicode folds into ASCII', () => {
  expect(['\u212A', '\u0130', '\u037E'].map(hasAsciiLookalike)).toEqual([true, true, true]);
  expect(['kate', 'Éva', 'straße', '株式会社'].map(hasAsciiLookalike)).toEqual([false, false, false, false]);
});
