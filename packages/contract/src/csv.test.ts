import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('cells are separated by commas, and quoted where it is needed', () => {
  expect(csvLine(['a', 1.5, null, '', 'b,c', 'say "hi"', 'two\r\nlines', ' padded '])).toBe(
    'a,1.5,,,"b,c","say ""hi""","two\r\nlines"," padded "\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r\n=1', '  =1', '＝1', '＋1', '－1', '＠SUM(A1)'])(
  'the formula %j is text',
  (formula) => {
    expect(csvLine([formula]).replace(/^"/, '')).toMatch(/^'/);
  },
);

// Excel separates cells by semicolons where the comma is the decimal separator. A quote within a cell then protects nothing.
test.each(['a;=1+1', 'a; +1', 'a;"=1+1;', 'a;;-1', 'a;\u00a0@SUM(A1)', 'a\t=1', 'two\n=1', '{"after":"x;＝1"}'])(
  'no cell of %j is a formula where semicolons or tabs separate cells',
  (text) => {
    const cells = csvLine(['id', text]).split(/[;\t\n]/);
    for (const cell of cells) expect(cell.replaceAll('"', '').trimStart()).not.toMatch(/^[=+\-@＝]/);
    expect(cells.join()).toContain("'");
  },
);

test('a cell with a semicolon or a tab is quoted, and other text is unchanged', () => {
  expect(csvLine(['a;b', 'a\tb', "it's", 'a-b=c', '[1,-2]'])).toBe('"a;b","a\tb",it\'s,a-b=c,"[1,-2]"\n');
});

test('a negative number stays a number', () => {
  expect(csvLine([-1])).toBe('-1\n');
});
