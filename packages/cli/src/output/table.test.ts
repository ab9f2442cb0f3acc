import { describe, expect, it } from 'vitest';
import { fit, width } from '../terminal/width.ts';
import { createTable } from './table.ts';

const style = { heading: (text: string) => text, faint: (text: string) => text, alarm: (text: string) => text };

describe('a table', () => {
  it('aligns wide characters, combined characters and emoji', () => {
    const table = createTable({ columns: ['name', 'n'], style, maxWidth: undefined });
    const rows = ['abcdef', '日本', 'e\u0301a', '👩‍👩‍👧'].map((name) => ({ name, n: 1 }));
    expect(table.lines(rows)).toEqual(['NAME    N', 'abcdef  1', '日本    1', 'e\u0301a      1', '👩‍👩‍👧      1']);
  });

  it('escapes the names of fields, which a server chooses', () => {
    const table = createTable({ columns: ['id', 'a\u009b5m'], style, maxWidth: undefined });
    expect(table.lines([{ id: 1, 'a\u009b5m': 2 }])).toEqual(['ID  A\\u009b5M', '1   2']);
  });

  it('keeps its widths for later rows, without a second heading', () => {
    const table = createTable({ columns: ['a', 'b'], style, maxWidth: undefined });
    table.lines([{ a: 'xxx', b: 1 }]);
    expect(
      table.lines([
        { a: 'yyyyy', b: null },
        { a: 'z', b: [1, 2] },
      ]),
    ).toEqual(['yyyyy  -', 'z    1, 2']);
  });
});

describe('the width of text', () => {
  it('is cut between characters, never within one', () => {
    expect(fit('日本語', 4)).toBe('日…');
    expect(fit('abc', 3)).toBe('abc');
    expect(width(fit('👩‍👩‍👧👩‍👩‍👧', 3))).toBe(3);
  });
});
