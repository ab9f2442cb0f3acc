import { type Html, html } from '../../http/html.ts';

interface Tab {
  readonly href: string;
  readonly words: string;
  readonly isCurrent: boolean;
}

/** Parts of one object, as links. */
export function tabs(label: string, parts: readonly Tab[]): Html {
  return html`<nav class="tabs tabs-first" aria-label="${label}">${parts.map(
    ({ href, words, isCurrent }) => html`<a href="${href}"${isCurrent && html` aria-current="page"`}>${words}</a>`,
  )}</nav>`;
}
