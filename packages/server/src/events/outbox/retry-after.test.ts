import { describe, expect, it } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-03-01T12:00:00Z');
const wait = (retryAfter: string | null, status = 503): number => retryAfterMs({ status, retryAfter }, NOW);

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['0', 0],
    [' 7 ', 7_000],
    ['86401', 86_400_000],
    ['9'.repeat(400), 86_400_000],
    ['Sun, 01 Mar 2026 12:02:00 GMT', 120_000],
    ['Sunday, 01-Mar-26 12:02:00 GMT', 120_000],
    ['Sun Mar  1 12:02:00 2026', 120_000],
    ['Sun, 01 Mar 2026 12:00:60 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Mon, 01 Mar 2027 12:00:00 GMT', 86_400_000],
    ['Tuesday, 01-Mar-77 12:00:00 GMT', 0],
  ])('%s is a wait of %d ms', (value, ms) => {
    expect(wait(value)).toBe(ms);
  });

  it.each([
    '',
    '-5',
    '1.5',
    '1e3',
    '0x10',
    '10 s',
    'soon',
    '10, 20',
    '2026-03-01T12:02:00Z',
    'Sun, 1 Mar 2026 12:02:00 GMT',
    'Sun, 01 Mar 2026 12:02:00 CET',
    'Tue, 31 Feb 2026 12:02:00 GMT',
    'Sun, 01 Foo 2026 12:02:00 GMT',
    'Sun, 01 Mar 2026 24:02:00 GMT',
  ])('"%s" asks for nothing', (value) => {
    expect(wait(value)).toBe(0);
  });

  it('counts only with 429 and 503', () => {
    const statuses = [200, 302, 404, 413, 429, 500, 503];
    expect(statuses.filter((status) => wait('60', status) > 0)).toEqual([429, 503]);
    expect(wait(null)).toBe(0);
  });
});
