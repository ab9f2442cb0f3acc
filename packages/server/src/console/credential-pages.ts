import type { RevokedReason } from '@plat/contract';
import { type Html, type HtmlValue, html } from '../http/html.ts';
import type { CredentialState, ExplainedCredential } from '../oauth/explain-credential.ts';
import { mayEnter } from './access.ts';
import { readPage } from './api-operation.ts';
import { APPS_PATH } from './app-pages.ts';
import { form } from './forms.ts';
import { KEY_PATH } from './key-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { copyId, kv } from './parts/kv.ts';
import { lookUp } from './parts/look-up.ts';
import { instant } from './parts/time.ts';
import { scopeList } from './scopes-field.ts';

export const CREDENTIAL_PATH = `${KEY_PATH}/check`;
export const CREDENTIAL_FIELD = 'credential';

const STATES: Readonly<
  Record<Exclude<CredentialState, 'expired' | 'unknown'>, readonly [words: string, sentence: string]>
> = {
  valid: ['Valid', 'Requests with it are accepted within its scopes.'],
  malformed: [
    'Not complete',
    'Its checksum does not match: it was cut, changed, or is not a key or token of this platform.',
  ],
  used: ['Used before', 'It was exchanged for a newer pair. To present it again ends the consent.'],
  revoked: ['Revoked', 'The consent ended, and all its tokens with it.'],
  app_disabled: ['Refused', 'The app is disabled or deleted.'],
  app_not_verified: ['Refused', 'The app is not verified, so it may act for sandboxes only.'],
  tenant_suspended: ['Refused', 'The tenant is suspended.'],
};

const UNKNOWN_TOKEN = [
  'Unknown',
  'It was revoked or replaced, expired long ago, belongs to another tenant, or comes from another server.',
] as const;

const UNKNOWN: Readonly<Record<NonNullable<ExplainedCredential['kind']>, readonly [words: string, sentence: string]>> =
  {
    'API key': [
      'Not a key of this tenant',
      'It was revoked or replaced, was never issued, or belongs to another tenant or server. A key is deleted when it is revoked, or replaced without an overlap, so its own dates are gone.',
    ],
    'access token': UNKNOWN_TOKEN,
    'refresh token': UNKNOWN_TOKEN,
  };

const EXPIRED: Readonly<Record<NonNullable<ExplainedCredential['kind']>, string>> = {
  'API key': 'It was replaced, and the time of its overlap has ended.',
  'access token': 'The app gets another one with its refresh token.',
  'refresh token': 'The tenant must consent again.',
};

const REASONS: Readonly<Record<RevokedReason, string>> = {
  tenant: 'an owner of the tenant revoked access',
  app: 'the app revoked it',
  code_reused: 'its authorization code was used twice',
  refresh_token_reused: 'a refresh token was used twice',
  replaced: 'a newer consent replaced it',
  app_disabled: 'the app was disabled',
  app_deleted: 'the app was deleted',
};

/** Page that explains a key or token without showing it. The form is a POST, so that no address contains the secret. */
export async function credentialPage(call: PageCall, explained: ExplainedCredential | null): Promise<SignedInPage> {
  const { session, base, prefix } = call;
  return {
    title: 'Check a key or token',
    here: prefix + KEY_PATH,
    below: [{ path: prefix + KEY_PATH, words: 'API key' }],
    lede: 'Says if an API key, access token or refresh token is valid, and why not. It is neither stored nor logged.',
    narrow: true,
    body: html`${explained && (await answer(call, explained))}
${form(
  { session, action: base + prefix + CREDENTIAL_PATH },
  html`<div class="field"><label for="${CREDENTIAL_FIELD}">Key or token</label>
<input class="input" id="${CREDENTIAL_FIELD}" name="${CREDENTIAL_FIELD}" type="password" maxlength="512" autocomplete="off" spellcheck="false" required></div>
<button type="submit" class="btn btn-primary">Check</button>`,
)}`,
  };
}

async function answer(call: PageCall, explained: ExplainedCredential): Promise<Html> {
  const { base, prefix, session } = call;
  const { kind, state, record } = explained;
  const [words, sentence] = wordsOf(explained);
  const isOwn = record?.tenantId === session.tenantId;
  return html`<section class="flow" aria-labelledby="answer" role="status"><h2 id="answer">${kind === null ? 'Not a key or token' : `This ${kind}`} ${badge(words, state === 'valid' ? 'good' : 'bad')}</h2>
<p>${sentence}</p>
${kind === 'API key' && state === 'unknown' && (await latestChanges(call))}
${
  record &&
  html`${kv([
    ['Tenant', copyId(record.tenantId)],
    ['App', record.appId && copyId(record.appId)],
    [record.appId === null ? 'Key' : 'Consent', copyId(record.id)],
    ['Expires', record.expiresAt === null ? null : instant(new Date(record.expiresAt).toISOString())],
    [
      'Revoked',
      record.revoked &&
        html`${instant(new Date(record.revoked.at).toISOString())}: ${lookUp(REASONS, record.revoked.reason) ?? record.revoked.reason}`,
    ],
    ['Scopes', scopeList(record.scopes)],
  ])}
<p><a href="${
    isOwn || record.appId === null
      ? `${base}${prefix}/audit?target_id=${record.id}`
      : `${base}${APPS_PATH}/${record.appId}/installations/${record.id}`
  }">${isOwn || record.appId === null ? 'Who changed it' : 'The installation'}</a></p>`
}</section>`;
}

function wordsOf({ kind, state }: ExplainedCredential): readonly [words: string, sentence: string | null] {
  if (state === 'expired') return ['Expired', kind && EXPIRED[kind]];
  if (state === 'unknown') return kind === null ? UNKNOWN_TOKEN : UNKNOWN[kind];
  return STATES[state];
}

/** Shows when keys of the tenant changed: a key that is gone was probably replaced or revoked then. */
async function latestChanges(call: PageCall): Promise<HtmlValue> {
  const { base, prefix, session } = call;
  if (!mayEnter(session, 'audit', 'read')) return null;
  const latest = async (action: string): Promise<Html> => {
    const [entry] = (await readPage(call, 'audit.events.list', {}, { action, limit: 1 })).data;
    if (!entry) return html`None`;
    const path = `${base}${prefix}/audit/${entry['id']}?action=${action}`;
    return html`<a href="${path}">${instant(String(entry['created_at']))}</a>`;
  };
  return kv([
    ['Latest new key', await latest('api_key.minted')],
    ['Latest revocation', await latest('api_key.revoked')],
  ]);
}
