import { expect, test } from 'vitest';
import { enteredTime } from './entered-time.ts';

const NOW = Date.parse('2026-11-28T07:00:00.000Z');

test.each([
  ['2h', '2026-11-28T05:00:00.000Z'],
  ['10m', '2026-11-28T06:50:00.000Z'],
  ['2026-11-27', '2026-11-27T00:00:00Z'],
  ['2026-11-27 07:30', '2026-11-27T07:30:00Z'],
  // Of an input of the type datetime-local, and as the console shows a time.
  ['2026-11-27T07:30', '2026-11-27T07:30:00Z'],
  [' 2026-11-27 07:30:05 UTC ', '2026-11-27T07:30:05Z'],
  ['2026-11-27 07:30Z', '2026-11-27T07:30:00Z'],
  // With an offset, as in mails and in the logs of other systems.
  ['2026-11-27 07:30 +02:00', '2026-11-27T07:30:00+02:00'],
  ['2026-11-27T07:30-0500', '2026-11-27T07:30:00-05:00'],
  ['2026-11-27 07:30:05+02', '2026-11-27T07:30:05+02:00'],
  ['2026-11-27T07:30:00.250+02:00', '2026-11-27T07:30:00.250+02:00'],
  ['2026-11-27 07:30:00.250', '2026-11-27T07:30:00.250Z'],
])('%s is %s', (entered, iso) => {
  expect(enteredTime(entered, NOW)).toBe(iso);
});

test.each([
  '2026-11-27T07:30:00+02:00',
  '2026-11-27T07:30:00.000Z',
  '2026-11-27 07:30 CET',
  'yesterday',
  '2 h',
  '',
  '27.11.2026',
])('%j is left to the API', (entered) => {
  expect(enteredTime(entered, NOW)).toBe(entered);
});
