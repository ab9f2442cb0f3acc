import { Html, type HtmlValue, html } from '../../http/html.ts';
import { highlight, languageName } from './highlight.ts';

/** Returns markup that this generator or one of its libraries made. */
export function trusted(markup: string): Html {
  return new Html([markup], []);
}

/** Puts each heading of the second level with its text into a section, which the style sheet places on a grid. */
export function inSections(body: Html): Html {
  const [start = '', ...sections] = body.toString().split(/(?=<h2 )/);
  return trusted([start, ...sections.map((section) => `<section>${section}</section>\n`)].join(''));
}

/** Shows highlighted code with a button that copies it. Long lines are broken, so nothing scrolls sideways. */
export function codeFigure(language: string, code: string, label: string = languageName(language)): Html {
  return html`<div class="code"><div class="code-head"><span>${label}</span><button class="copy" type="button" hidden>Copy<span class="sr"> ${label}</span></button></div><pre class="wrap" role="group" aria-label="${label}"><code>${trusted(highlight(code, language))}</code></pre></div>
`;
}

/** Returns the anchor of a heading, as GitHub makes it, so that a link works in both places. */
function slugOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** Returns a function that makes each anchor of a page unique. */
export function uniqueAnchors(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const slug = slugOf(text);
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

/** Shows a table. On a narrow screen its rows are stacked: roles keep it a table there, and each cell has its label. */
export function dataTable(head: readonly string[], rows: readonly (readonly HtmlValue[])[]): Html {
  return html`<table class="doc-table" role="table"><thead role="rowgroup"><tr role="row">${head.map((words) => html`<th role="columnheader" scope="col">${words}</th>`)}</tr></thead><tbody role="rowgroup">
${rows.map((cells) => html`<tr role="row">${cells.map((cell, i) => html`<td role="cell" data-label="${head[i]}">${cell}</td>`)}</tr>\n`)}</tbody></table>
`;
}
