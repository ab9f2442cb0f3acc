import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are separated by commas, and quoted where it is needed', () => {
  expect(csvLine(['a', 1.5, null, '', 'b,c', 'say "hi"', 'two\r\nlines', ' padded '])).toBe(
    'a,1.5,,,"b,c","say ""hi""","two\r\nlines"," padded "\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r\n=1', '  =1'])('the formula %j is text', (formula) => {
  expect(csvLine([formula]).replace(/^"/, '')).toMatch(/^'/);
});

test('a negative number stays a number', () => {
  expect(csvLine([-1])).toBe('-1\n');
});
