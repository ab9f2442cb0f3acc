import { type ApiKey, type ApiKeyWithSecret, LIMITS, type PreviousApiKey, type Scope } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import { form, type Problems, problemSummary } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { overlapField } from './overlap-field.ts';
import type { PageCall } from './page-route.ts';
import { ago, instant } from './parts/time.ts';
import { PLACES } from './places.ts';
import { scopeList, scopesField } from './scopes-field.ts';
import { confirmation, doneNotice, secretSheet } from './texts.ts';

export const KEY_PATH = '/key';
export const PREVIOUS_PATH = `${KEY_PATH}/revoke-previous`;
export const LOGINS_PATH = '/logins';

/** The form for a new key. */
export interface KeyForm {
  readonly chosen: readonly Scope[];
  readonly done: string | undefined;
  readonly problems: Problems;
  /** Id of the key when the form was built. A form that is shown again keeps it. */
  readonly seen: string;
}

interface KeyShown extends KeyForm {
  readonly key: ApiKey | null;
  /** The latest logged request with the key; null without a key. */
  readonly latest: Html | null;
}

const DONE = {
  revoked: 'The key was revoked. Requests with it are refused from now on.',
  'previous-revoked': 'The previous key was revoked. Requests with it are refused from now on.',
};

/** The tenant in the words of its user. */
const tenantOf = ({ session }: Pick<PageCall, 'session'>) =>
  session.kind === 'developer' ? 'Your sandbox' : 'The tenant';

const trailOf = ({ prefix }: PageCall) => [{ path: prefix + KEY_PATH, words: 'API key' }];

export function keyPage(call: PageCall, shown: KeyShown): SignedInPage {
  const { session, base, prefix } = call;
  const { key, chosen, done, problems, seen } = shown;
  const own = base + prefix + KEY_PATH;
  const presets = html`<p>Select <a href="${own}?tick=all#scopes">all scopes</a>, <a href="${own}?tick=read#scopes">read only</a> or <a href="${own}?tick=none#scopes">none</a>, then adjust.</p>`;
  const field = scopesField({
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
    here: prefix + KEY_PATH,
    lede: html`Programs call <code>/v1</code> with this key. ${tenantOf(call)} has one key. When you replace it, the old key can stay valid for a while.`,
    actions: html`<a class="btn" href="${own}/check">Check a key or token</a>${
      session.kind === 'developer' && html`<a class="btn" href="${base}${prefix}${LOGINS_PATH}">Logins of terminals</a>`
    }`,
    body: html`${doneNotice(done, DONE)}
${problemSummary(problems)}
${
  key
    ? presentKey(call, key, shown.latest)
    : html`<p>${tenantOf(call)} has no API key. Create one to call the API.</p>
<p><a href="${base}${prefix}/audit?action=api_key.revoked">Who revoked keys</a></p>`
}
${
  key &&
  !session.sandbox &&
  html`<p class="notice warn"><strong>This is a live key.</strong> Programs that use it change the data of your customers.</p>`
}
<h2>${key ? 'Replace key' : 'Create key'}</h2>
${form(
  { session, action: own, hidden: { seen } },
  html`${presets}
${field}
${overlap}
<button type="submit" class="btn btn-primary">${key ? 'Replace key' : 'Create key'}</button>`,
)}`,
  };
}

function presentKey({ base, prefix, now }: PageCall, key: ApiKey, latest: Html | null) {
  const { hint, scopes, created_at, last_used_at, previous_key } = key;
  const lastUsed = (at: string | null) =>
    at === null ? 'no use recorded' : html`${ago(at, now)} <span class="muted">(at most a minute old)</span>`;
  return html`<div class="flow">
<dl class="kv">
<dt>Key</dt><dd><code>${hint}</code></dd>
<dt>Created</dt><dd>${instant(created_at)}</dd>
<dt>Last used</dt><dd>${lastUsed(last_used_at)}</dd>
<dt>Logged request</dt><dd>${latest}</dd>
<dt>Changes</dt><dd><a href="${base}${prefix}/audit?target_id=${key.id}">Audit entries of this key</a></dd>
${previous_key && html`<dt>Previous key</dt><dd><code>${previous_key.hint}</code>, valid until ${instant(previous_key.expires_at)}, last used: ${lastUsed(previous_key.last_used_at)} · <a href="${base}${prefix}${PREVIOUS_PATH}">Revoke it now</a></dd>\n`}</dl>
<details><summary>It has ${scopes.length} ${scopes.length === 1 ? 'scope' : 'scopes'}</summary>
${scopeList(scopes)}</details>
<p><a href="${base}${prefix}${KEY_PATH}/revoke">Revoke key</a></p>
</div>`;
}

interface CreatedKey {
  readonly baseUrl: string;
  readonly key: ApiKeyWithSecret;
  /** The sandbox file that now contains the key. Null if the server has no file for this sandbox. */
  readonly savedTo: string | null;
}

/** Builds the page that shows the key. It is the response to the form, and the only page with the key. */
export function createdKeyPage(call: PageCall, { baseUrl, key, savedTo }: CreatedKey): SignedInPage {
  const { base, prefix, session } = call;
  return {
    title: 'Your new API key',
    here: prefix + KEY_PATH,
    below: trailOf(call),
    body: html`${secretSheet({
      label: 'API key',
      value: key.api_key,
      environment: { PLAT_BASE_URL: baseUrl, PLAT_API_KEY: key.api_key },
    })}
${savedTo !== null && html`<p>The server saved the key to <code>${savedTo}</code>: <code>plat</code> in that folder uses it from now on, and a restart keeps it.</p>`}
<p><a class="btn btn-primary" href="${base}${PLACES[session.kind].home}#setup">Continue to the overview</a></p>`,
  };
}

export function revokeKeyPage(call: PageCall, key: ApiKey): SignedInPage {
  return revocationPage(call, {
    path: `${KEY_PATH}/revoke`,
    id: key.id,
    title: 'Revoke the API key?',
    button: 'Revoke key',
    words: html`<p>Requests with <code>${key.hint}</code>${key.previous_key && html` or <code>${key.previous_key.hint}</code>`} will be refused. ${tenantOf(call)} has no key until you create a new one; its data stays.</p>`,
  });
}

export function revokePreviousKeyPage(call: PageCall, key: ApiKey, previous: PreviousApiKey): SignedInPage {
  return revocationPage(call, {
    path: PREVIOUS_PATH,
    id: previous.id,
    title: 'Revoke the previous key?',
    button: 'Revoke previous key',
    words: html`<p>Requests with <code>${previous.hint}</code> will be refused. The current key <code>${key.hint}</code> stays valid.</p>`,
  });
}

interface Revocation {
  /** Path of the form in the console. */
  readonly path: string;
  /** Id of the key that is revoked if the tenant still has it. */
  readonly id: string;
  readonly title: string;
  readonly button: string;
  readonly words: Html;
}

function revocationPage(call: PageCall, { path, id, title, button, words }: Revocation): SignedInPage {
  const { session, base, prefix } = call;
  return {
    title,
    here: prefix + KEY_PATH,
    below: trailOf(call),
    narrow: true,
    body: confirmation({
      words,
      form: form(
        { session, action: base + prefix + path, hidden: { key_id: id }, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">${button}</button>`,
      ),
      backTo: base + prefix + KEY_PATH,
    }),
  };
}
