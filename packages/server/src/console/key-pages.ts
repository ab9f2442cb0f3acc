import { type ApiKey, type ApiKeyWithSecret, LIMITS, type Scope } from '@plat/contract';
import type { DeveloperSession } from '../accounts/session.ts';
import { html } from '../http/html.ts';
import { form, type Problems, problemSummary } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { overlapField } from './overlap-field.ts';
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
  /** Id of the key when the form was built. A form that is shown again keeps it. */
  readonly seen: string;
}

export function keyPage({ session, base, key, chosen, done, problems, seen }: KeyShown): SignedInPage {
  const presets = html`<p>Select <a href="${base}${KEY_PATH}?tick=all#scopes">all scopes</a>, <a href="${base}${KEY_PATH}?tick=read#scopes">read only</a> or <a href="${base}${KEY_PATH}?tick=none#scopes">none</a>, then adjust.</p>`;
  const field = scopesField({
    label: 'Scopes',
    hint: 'Writing does not include reading. Select only what the program needs.',
    chosen,
    problems,
  });
  const overlap =
    key !== null &&
    html`${overlapField({
      max: LIMITS.apiKeyOverlapSeconds,
      label: `When does the current key ${key.hint} expire?`,
      hint: 'Until then both keys are valid, so that you can update your programs one by one.',
    })}
${key.previous_key && html`<p class="notice warn"><strong>The key before it will stop working at once.</strong> Requests with <code>${key.previous_key.hint}</code> will be refused.</p>`}`;
  return {
    title: 'API key',
    here: KEY_PATH,
    lede: html`Programs call <code>/v1</code> with this key. Your sandbox has one key. When you replace it, the old key can stay valid for a while.`,
    body: html`${doneNotice(done, { revoked: 'The key was revoked. Requests with it are refused from now on.' })}
${problemSummary(problems)}
${key ? presentKey(key, base) : html`<p>Your sandbox has no API key. Create one to call the API.</p>`}
<h2>${key ? 'Replace key' : 'Create key'}</h2>
${form(
  { session, action: base + KEY_PATH, hidden: { seen } },
  html`${presets}
${field}
${overlap}
<button type="submit" class="btn btn-primary">${key ? 'Replace key' : 'Create key'}</button>`,
)}`,
  };
}

function presentKey({ hint, scopes, created_at, previous_key }: ApiKey, base: string) {
  return html`<div class="flow">
<dl class="kv">
<dt>Key</dt><dd><code>${hint}</code></dd>
<dt>Created</dt><dd>${when(created_at)}</dd>
${previous_key && html`<dt>Replaced key</dt><dd><code>${previous_key.hint}</code>, valid until ${when(previous_key.expires_at)}</dd>\n`}</dl>
<details><summary>It has ${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}</summary>
${scopeList(scopes)}</details>
<p><a href="${base}${KEY_PATH}/revoke">Revoke key</a></p>
</div>`;
}

/** Builds the page that shows the key. It is the response to the form, and the only page with the key. */
export function createdKeyPage({
  base,
  baseUrl,
  key,
  savedTo,
}: {
  readonly base: string;
  readonly baseUrl: string;
  readonly key: ApiKeyWithSecret;
  /** The sandbox file that now contains the key. Null if the server has no file for this sandbox. */
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
<p><a class="btn btn-primary" href="${base}/console#first-steps">Continue to first steps</a></p>`,
  };
}

export function revokeKeyPage({ session, base, key }: Shown & { readonly key: ApiKey }): SignedInPage {
  return {
    title: 'Revoke the API key?',
    here: KEY_PATH,
    below: TRAIL,
    narrow: true,
    body: confirmation({
      words: html`<p>Requests with <code>${key.hint}</code>${key.previous_key && html` or <code>${key.previous_key.hint}</code>`} will be refused. Your sandbox has no key until you create a new one; its data stays.</p>`,
      form: form(
        { session, action: `${base}${KEY_PATH}/revoke`, hidden: { key_id: key.id }, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Revoke key</button>`,
      ),
      backTo: base + KEY_PATH,
    }),
  };
}
