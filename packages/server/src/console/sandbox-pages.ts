import type { ApiKey } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { type Html, html } from '../http/html.ts';
import { form } from './forms.ts';
import { KEY_PATH } from './key-pages.ts';
import type { SignedInPage } from './layout.ts';
import { PLACES } from './places.ts';
import { confirmation, copyText, doneNotice } from './texts.ts';

const HOME = PLACES.developer.home;
export const RESET_PATH = `${HOME}/reset`;

interface HomeShown {
  readonly session: DeveloperSession;
  readonly base: string;
  readonly baseUrl: string;
  readonly key: ApiKey | null;
  readonly isSuspended: boolean;
  readonly done: string | undefined;
}

export function homePage({ session, base, baseUrl, key, isSuspended, done }: HomeShown): SignedInPage {
  return {
    title: 'Your sandbox',
    here: HOME,
    body: html`<p class="lead">A tenant of your own with sample data. Nothing that you do in it reaches anybody else.</p>
${doneNotice(done, { reset: 'The sandbox is as it was at the beginning. Key and OAuth apps are still there.' })}
${isSuspended && html`<p class="warning"><strong>The platform has suspended this sandbox.</strong> Nothing can be changed until it is reactivated.</p>`}
<div class="card">
<dl>
<dt>Tenant</dt><dd><code>${session.tenantId}</code></dd>
<dt>Base URL</dt><dd><code>${baseUrl}</code></dd>
<dt>API key</dt><dd>${
      key
        ? html`<code>${key.hint}</code> <a href="${base}${KEY_PATH}">Replace the key</a>`
        : html`<a href="${base}${KEY_PATH}">Mint one</a>`
    }</dd>
</dl>
</div>
<h2 id="first-steps">First steps</h2>
${firstSteps({ base, baseUrl, key })}
<h2>Further</h2>
<ul class="plain-list">
<li><a href="${base}/docs">Reference of the API</a>, and <a href="${base}/openapi.json">its OpenAPI document</a></li>
<li><a href="${base}/console/apps">OAuth apps</a>: act for tenants that give their consent</li>
<li><a href="${base}/console/cli">Log in a terminal</a>: <code>plat login</code> shows a code that you approve here</li>
</ul>
<h2>Begin again</h2>
<p>A reset takes the sandbox back to its sample data. It keeps its id, its key and your OAuth apps.</p>
<p><a class="button plain" href="${base}${RESET_PATH}">Reset the sandbox</a></p>`,
  };
}

function firstSteps({ base, baseUrl, key }: Pick<HomeShown, 'base' | 'baseUrl' | 'key'>): Html {
  const variables = `export PLAT_BASE_URL=${baseUrl}\nexport PLAT_API_KEY=plat_test_…`;
  return html`<ol class="steps">
<li><p>${
    key
      ? html`Have your API key at hand: it begins and ends as <code>${key.hint}</code>. It was shown once; if it is lost, <a href="${base}${KEY_PATH}">replace it</a>.`
      : html`<a href="${base}${KEY_PATH}">Mint an API key</a>. It is shown once.`
  }</p></li>
<li>${copyText('step-variables', 'Tell your shell, with the key in place of the dots', variables)}</li>
<li>${copyText('step-me', 'Ask who you are', 'curl "$PLAT_BASE_URL/v1/me" -H "Authorization: Bearer $PLAT_API_KEY"')}</li>
<li>${copyText(
    'step-create',
    'Create a client; an event of it goes to your webhook endpoints',
    `curl "$PLAT_BASE_URL/v1/clients" -H "Authorization: Bearer $PLAT_API_KEY" \\\n  -H "Content-Type: application/json" -d '{"name":"Acme"}'`,
  )}</li>
<li>${copyText(
    'step-sdk',
    html`Read the clients in a program, with <code>npm install @plat/sdk</code>`,
    `import { Platform } from '@plat/sdk';

const { PLAT_BASE_URL: baseUrl, PLAT_API_KEY: apiKey } = process.env;
const platform = new Platform({ baseUrl, apiKey });
for await (const { id, name } of platform.clients.list()) console.log(id, name);`,
  )}</li>
</ol>`;
}

export function resetPage({ session, base }: Pick<HomeShown, 'session' | 'base'>): SignedInPage {
  return {
    title: 'Reset the sandbox?',
    here: HOME,
    below: [{ path: HOME, words: 'Your sandbox' }],
    narrow: true,
    body: confirmation({
      words: html`<p>This cannot be undone. What goes:</p>
<ul>
<li>everything that was created or changed, which goes back to the sample data</li>
<li>webhook endpoints, events, and deliveries that are still due</li>
<li>the audit trail, and consents with their tokens</li>
</ul>
<p>What stays: the tenant's id, its API key, your OAuth apps, and your being signed in.</p>`,
      form: form(
        { session, action: base + RESET_PATH, look: 'inline' },
        html`<button type="submit" class="risky">Reset the sandbox</button>`,
      ),
      backTo: base + HOME,
    }),
  };
}
