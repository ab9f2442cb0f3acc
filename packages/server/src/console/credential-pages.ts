import type { RevokedReason } from '@plat/contract';
import { type Html, html } from '../http/html.ts';
import type { CredentialState, ExplainedCredential } from '../oauth/explain-credential.ts';
import { APPS_PATH } from './app-pages.ts';
import { form } from './forms.ts';
import { KEY_PATH } from './key-pages.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { copyId, kv } from './parts/kv.ts';
import { instant } from './parts/time.ts';
import { scopeList } from './scopes-field.ts';

export const CREDENTIAL_PATH = `${KEY_PATH}/check`;
export const CREDENTIAL_FIELD = 'credential';

const STATES: Readonly<Record<Exclude<CredentialState, 'expired'>, readonly [words: string, sentence: string]>> = {
  valid: ['Valid', 'Requests with it are accepted within its scopes.'],
  malformed: [
    'Not complete',
    'Its checksum does not match: it was cut, changed, or is not a key or token of this platform.',
  ],
  unknown: [
    'Unknown',
    'It was revoked or replaced, expired long ago, belongs to another tenant, or comes from another server.',
  ],
  used: ['Used before', 'It was exchanged for a newer pair. To present it again ends the consent.'],
  revoked: ['Revoked', 'The consent ended, and all its tokens with it.'],
  app_disabled: ['Refused', 'The app is disabled or deleted.'],
  app_not_verified: ['Refused', 'The app is not verified, so it may act for sandboxes only.'],
  tenant_suspended: ['Refused', 'The tenant is suspended.'],
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
export function credentialPage(call: PageCall, explained: ExplainedCredential | null): SignedInPage {
  const { session, base, prefix } = call;
  return {
    title: 'Check a key or token',
    here: prefix + KEY_PATH,
    below: [{ path: prefix + KEY_PATH, words: 'API key' }],
    lede: 'Says if an API key, access token or refresh token is valid, and why not. It is neither stored nor logged.',
    narrow: true,
    body: html`${explained && answer(call, explained)}
${form(
  { session, action: base + prefix + CREDENTIAL_PATH },
  html`<div class="field"><label for="${CREDENTIAL_FIELD}">Key or token</label>
<input class="input" id="${CREDENTIAL_FIELD}" name="${CREDENTIAL_FIELD}" type="password" maxlength="512" autocomplete="off" spellcheck="false" required></div>
<button type="submit" class="btn btn-primary">Check</button>`,
)}`,
  };
}

function answer({ base, prefix, session }: PageCall, { kind, state, record }: ExplainedCredential): Html {
  const [words, sentence] = state === 'expired' ? ['Expired', kind && EXPIRED[kind]] : STATES[state];
  const isOwn = record?.tenantId === session.tenantId;
  return html`<section aria-labelledby="answer" role="status"><h2 id="answer">${kind === null ? 'Not a key or token' : `This ${kind}`} ${badge(words, state === 'valid' ? 'good' : 'bad')}</h2>
<p>${sentence}</p>
${
  record &&
  html`${kv([
    ['Tenant', copyId(record.tenantId)],
    ['App', record.appId && copyId(record.appId)],
    [record.appId === null ? 'Key' : 'Consent', copyId(record.id)],
    ['Expires', record.expiresAt === null ? null : instant(new Date(record.expiresAt).toISOString())],
    [
      'Revoked',
      record.revoked && html`${instant(new Date(record.revoked.at).toISOString())}: ${REASONS[record.revoked.reason]}`,
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
