import { type Html, html } from './html.ts';

/** Shows if a tenant is a sandbox. */
export function modeBadge(sandbox: boolean): Html {
  return sandbox
    ? html`<span class="mode mode-sandbox">SANDBOX</span>`
    : html`<span class="mode mode-live">LIVE</span>`;
}
