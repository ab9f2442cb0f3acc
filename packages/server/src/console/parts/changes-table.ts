import type { AuditEvent } from '@plat/contract';
import { type Html, type HtmlValue, html } from '../../http/html.ts';

/** Shows the fields that a change altered, with their values before and after; null when there are none. */
export function changesTable(changes: AuditEvent['changes']): Html | null {
  const rows = Object.entries(changes ?? {}).map(
    ([name, { before, after }]) =>
      html`<tr><th scope="row" class="mono">${name}</th><td>${value(before, 'del')}</td><td>${value(after, 'ins')}</td></tr>\n`,
  );
  if (rows.length === 0) return null;
  return html`<table class="diff"><caption class="sr">Changed fields</caption><thead><tr><th scope="col">Field</th><th scope="col">Before</th><th scope="col">After</th></tr></thead><tbody>
${rows}</tbody></table>`;
}

function value(given: unknown, tag: 'ins' | 'del'): HtmlValue {
  if (given === null || given === undefined) return html`<span class="muted">none</span>`;
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return tag === 'ins' ? html`<ins>${text}</ins>` : html`<del>${text}</del>`;
}
