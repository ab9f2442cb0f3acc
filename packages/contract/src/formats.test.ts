import { expect, test } from 'vitest';
import { firstMsFrom, hasAsciiLookalike } from './formats.ts';

test('hasAsciiLookalike finds characters that Unicode folds into ASCII', () => {
  expect(['\u212A', '\u0130', '\u037E'].map(hasAsciiLookalike)).toEqual([true, true, true]);
  expect(['kate', 'Éva', 'straße', '株式会社'].map(hasAsciiLookalike)).toEqual([false, false, false, false]);
});

test('firstMsFrom rounds a time up to the next millisecond', () => {
  const at = (fraction: string) => firstMsFrom(`2026-01-31T12:00:00${fraction}+01:00`) - Date.UTC(2026, 0, 31, 11);
  expect(['', '.5', '.500', '.500000', '.5001', '.500000001', '.999999'].map(at)).toEqual([
    ...[0, 500, 500, 500],
    ...[501, 501, 1000],
  ]);
});
