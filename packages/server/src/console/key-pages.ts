import type { ApiKey, ApiKeyWithSecret, Scope } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { html } from '../http/html.ts';
import { form, type Problems, problemSummary } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { scopeList, scopesField } from './scopes-field.ts';
import { confirmation, doneNotice, secretSheet, when } from './texts.ts';

export const KEY_PATH = '/console/key';
const TRAIL = [{ path: KEY_PATH, words: 'API key' }];

interface Shown {
  readonly session: DeveloperSession;
  readonly base: string;
}

interface KeyShown extends Shown {
  readonly key: ApiKey | null;
  readonly chosen: readonly Scope[];
  readonly done: string | undefined;
  readonly problems: Problems;
  /** The key that the form was made beside; a form that is shown again keeps it. */
  readonly seen: string;
}

export function keyPage({ session, base, key, chosen, done, problems, seen }: KeyShown): SignedInPage {
  const presets = html`<p>Tick <a href="${base}${KEY_PATH}?tick=all#scopes">everything</a>, <a href="${base}${KEY_PATH}?tick=read#scopes">reading only</a> or <a href="${base}${KEY_PATH}?tick=none#scopes">nothing</a>, then change what you like.</p>`;
  const field = scopesField({
    label: 'What the key may do',
    hint: 'Writing does not include reading. Give a key no more than its program needs.',
    chosen,
    problems,
  });
  const warning =
    key !== null &&
    html`<p class="warning"><strong>The present key stops working at once.</strong> Every program that uses ${key.hint} is refused from the next request on.</p>`;
  return {
    title: 'API key',
    here: KEY_PATH,
    body: html`<p class="lead">Programs call <code>/v1</code> with it. Your sandbox has one key at a time.</p>
${doneNotice(done, { revoked: 'The key was revoked. Programs that used it are refused from now on.' })}
${problemSummary(problems)}
${key ? presentKey(key, base) : html`<div class="card"><p>Your sandbox has no key: nothing can call the API for it.</p></div>`}
<h2>${key ? 'Replace the key' : 'Mint a key'}</h2>
${form(
  { session, action: base + KEY_PATH, hidden: { seen } },
  html`${presets}
${field}
${warning}
<button type="submit">${key ? 'Replace the key' : 'Mint a key'}</button>`,
)}`,
  };
}

function presentKey({ hint, scopes, created_at }: ApiKey, base: string) {
  return html`<div class="card">
<dl>
<dt>Key</dt><dd><code>${hint}</code></dd>
<dt>Minted</dt><dd>${when(created_at)}</dd>
</dl>
<details><summary>It has ${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}</summary>
${scopeList(scopes)}</details>
<p><a href="${base}${KEY_PATH}/revoke">Revoke the key</a></p>
</div>`;
}

/** The answer to the form itself, and the only page that ever has the key. */
export function mintedPage({
  base,
  baseUrl,
  key,
  savedTo,
}: {
  readonly base: string;
  readonly baseUrl: string;
  readonly key: ApiKeyWithSecret;
  /** The sandbox file that holds the key now; null when the server keeps none for this sandbox. */
  readonly savedTo: string | null;
}): SignedInPage {
  return {
    title: 'Your new API key',
    here: KEY_PATH,
    below: TRAIL,
    body: html`${secretSheet({
      label: 'API key',
      value: key.api_key,
      environment: { PLAT_BASE_URL: baseUrl, PLAT_API_KEY: key.api_key },
    })}
${savedTo !== null && html`<p>The server saved the key to <code>${savedTo}</code>: <code>plat</code> in that folder uses it from now on, and a restart keeps it.</p>`}
<p><a class="button" href="${base}/console#first-steps">I have stored it: first steps</a></p>`,
  };
}

export function revokeKeyPage({ session, base, key }: Shown & { readonly key: ApiKey }): SignedInPage {
  return {
    title: 'Revoke the API key?',
    here: KEY_PATH,
    below: TRAIL,
    narrow: true,
    body: confirmation({
      words: html`<p>Every program that uses <code>${key.hint}</code> is refused from the next request on. Your sandbox has no key until you mint another one; its data stays.</p>`,
      form: form(
        { session, action: `${base}${KEY_PATH}/revoke`, hidden: { key_id: key.id }, look: 'inline' },
        html`<button type="submit" class="risky">Revoke the key</button>`,
      ),
      backTo: base + KEY_PATH,
    }),
  };
}
