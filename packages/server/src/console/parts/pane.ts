import { type Html, type HtmlValue, html } from '../../http/html.ts';

interface Pane {
  readonly title: HtmlValue;
  readonly isMono?: boolean;
  /** Link back to the list, which keeps its filters. */
  readonly listPath: string;
  readonly listWords: string;
  readonly meta: HtmlValue;
  readonly body: HtmlValue;
}

/** The selected object beside its list. On narrow screens it is the page. */
export function pane({ title, isMono = false, listPath, listWords, meta, body }: Pane): Html {
  return html`<section class="pane" id="selected" tabindex="0" aria-labelledby="selected-title">
<a class="back" href="${listPath}">‹ ${listWords}</a>
<div class="pane-head"><h2 id="selected-title"${isMono && html` class="mono"`}>${title}</h2><a class="link-button" href="${listPath}">Close<span class="sr"> details</span></a></div>
<p class="meta">${meta}</p>
${body}
</section>`;
}

/** Cause and fix of a problem, above the evidence. */
export function problem(mood: 'warn' | 'bad', title: HtmlValue, cause: HtmlValue, fix: HtmlValue): Html {
  return html`<div class="notice ${mood} section-kv"><h3>${title}</h3><dl class="kv"><dt>Cause</dt><dd>${cause}</dd><dt>Fix</dt><dd>${fix}</dd></dl></div>`;
}

/** Shows the Markdown of one line that reference texts have: code, and links as their words. */
export function referenceText(markdown: string): Html {
  const parts = markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
