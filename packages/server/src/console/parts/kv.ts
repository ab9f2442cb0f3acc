import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** Facts of one object. A fact without a value is left out. */
export function kv(facts: readonly (readonly [label: string, value: HtmlValue])[]): Html {
  return html`<dl class="kv">${facts
    .filter(([, value]) => value !== null && value !== undefined && value !== false)
    .map(([label, value]) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>`;
}

export function mono(text: string): Html {
  return html`<span class="mono">${text}</span>`;
}

/** Shows an id that can be copied. */
export function copyId(id: string): Html {
  return html`<span class="mono">${id}</span><button class="copy" type="button" hidden data-text="${id}">Copy id</button>`;
}

/** Shortens an id for a table: `req_01m8…c02nxs`. */
export function shortId(id: string): string {
  return id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id;
}
