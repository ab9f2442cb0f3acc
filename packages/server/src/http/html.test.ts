import { expect, test } from 'vitest';
import { html } from './html.ts';

test('values are escaped in text and in attributes', () => {
  const hostile = `<script>alert("x" + 'y')</script>&amp;`;
  const escaped = '&lt;script&gt;alert(&quot;x&quot; + &#39;y&#39;)&lt;/script&gt;&amp;amp;';
  expect(String(html`<p title="${hostile}">${hostile}</p>`)).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('pieces of pages and lists of them are inserted unescaped; absent values are empty', () => {
  const rows = ['a', '<b>'].map((name) => html`<li>${name}</li>`);
  expect(String(html`<ul>${rows}</ul>${null}${undefined}${false}${0}`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>0');
});

test('an object that imitates a piece of a page is escaped', () => {
  const impostor = { toString: () => '<script>', strings: ['<script>'], values: [] };
  expect(String(html`${String(impostor)}`)).toBe('&lt;script&gt;');
  expect(String(html`${['<i>']}`)).toBe('&lt;i&gt;');
});
