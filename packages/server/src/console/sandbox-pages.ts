import type { ApiKey } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { type HtmlValue, html } from '../http/html.ts';
import { form } from './forms.ts';
import { KEY_PATH as KEY } from './key-pages.ts';
import type { SignedInPage } from './layout.ts';
import { PLACES } from './places.ts';
import { confirmation, doneNotice } from './texts.ts';

const HOME = PLACES.developer.home;
export const RESET_PATH = `${HOME}/reset`;
export const TOOLS_PATH = `${HOME}/sandbox`;
const KEY_PATH = HOME + KEY;

interface HomeShown {
  readonly session: DeveloperSession;
  readonly base: string;
  readonly baseUrl: string;
  /** The overview of the integration. */
  readonly state: HtmlValue;
  readonly key: ApiKey | null;
  readonly isSuspended: boolean;
  readonly done: string | undefined;
}

export function homePage({ session, base, baseUrl, state, key, isSuspended, done }: HomeShown): SignedInPage {
  return {
    title: 'Overview',
    here: HOME,
    lede: 'Your own tenant with sample data. Your changes affect no other tenant.',
    body: html`${doneNotice(done, { reset: 'Sandbox reset. Its API key and OAuth apps are unchanged.' })}
${isSuspended && html`<p class="notice warn"><strong>The platform has suspended this sandbox.</strong> You can't change it until it is reactivated.</p>`}
${state}
<h2>Your sandbox</h2>
<dl class="kv">
<dt>Tenant</dt><dd><code>${session.tenantId}</code></dd>
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>API key</dt><dd>${
      key
        ? html`<code>${key.hint}</code> <a href="${base}${KEY_PATH}">Replace key</a>`
        : html`none. <a href="${base}${KEY_PATH}">Create an API key</a>`
    }</dd>
</dl>
<h2>More</h2>
<ul class="bullets">
<li><a href="${base}/docs/getting-started/">Getting started</a>: the same steps with the SDK, and a receiver in your framework</li>
<li><a href="${base}${HOME}/explorer">Explorer</a>: call every operation from a form, and copy the call as curl, SDK or <code>plat</code></li>
<li><a href="${base}/docs/">API reference</a> and its <a href="${base}/openapi.json">OpenAPI document</a></li>
<li><a href="${base}/console/apps">OAuth apps</a>: act for tenants that give their consent</li>
<li><a href="${base}/console/cli">Sign in to the terminal</a>: <code>plat login</code> shows a code that you approve here</li>
</ul>
<p class="actions"><a class="btn" href="${base}${TOOLS_PATH}">Sandbox tools</a><a class="btn" href="${base}${RESET_PATH}">Reset sandbox</a></p>`,
  };
}

export function resetPage({ session, base }: Pick<HomeShown, 'session' | 'base'>): SignedInPage {
  return {
    title: 'Reset the sandbox?',
    here: TOOLS_PATH,
    below: [{ path: TOOLS_PATH, words: 'Sandbox' }],
    narrow: true,
    body: confirmation({
      words: html`<p>You can't undo this. The reset deletes:</p>
<ul>
<li>everything that was created or changed; the sample data is restored</li>
<li>webhook endpoints, events and pending deliveries</li>
<li>the audit trail, and consents with their tokens</li>
</ul>
<p>It keeps the tenant's id, its API key, your OAuth apps and your session.</p>`,
      form: form(
        { session, action: base + RESET_PATH, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Reset sandbox</button>`,
      ),
      backTo: base + TOOLS_PATH,
    }),
  };
}
