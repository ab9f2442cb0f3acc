import type { OAuthConsent } from '@plat/contract';
import type { AdminSession, DeveloperSession } from '../accounts/session.ts';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import { scopeList } from './scopes-field.ts';
import { confirmation, doneNotice, verificationBadge, when } from './texts.ts';

interface Shown {
  /** Path of the list, with the prefix. */
  readonly own: string;
  readonly here: string;
  readonly words: ConsentWords;
}

/** Texts for the tenant that the pages describe. */
export interface ConsentWords {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
}

interface ListShown extends Shown {
  readonly consents: readonly OAuthConsent[];
  /** User id → email address. */
  readonly emails: ReadonlyMap<string, string>;
  /** True if there are consents before these; `older` is true if there are consents after these. */
  readonly newer: boolean;
  readonly older: boolean;
  readonly done: string | undefined;
}

export function consentsPage({ own, here, words, consents, emails, newer, older, done }: ListShown): SignedInPage {
  const { title, lead, none } = words;
  return {
    title,
    here,
    lede: lead,
    body: html`${doneNotice(done, { revoked: 'Access revoked. All tokens of the app have ended.' })}
${consents.length === 0 ? html`<p>${none}</p>` : consents.map((consent) => consentCard(consent, emails, own))}
${pager(own, consents, newer, older)}`,
  };
}

function consentCard(consent: OAuthConsent, emails: ReadonlyMap<string, string>, own: string): Html {
  const { id, app_name: app, app_verification: verification, scopes, created_at, last_used_at } = consent;
  return html`<article class="item">
<h2>${isolated(app)} ${verificationBadge(verification)}</h2>
${scopeList(scopes)}
<dl class="kv">
<dt>Since</dt><dd>${when(created_at)}</dd>
<dt>Given by</dt><dd>${giver(consent, emails)}</dd>
<dt>Last token issued</dt><dd>${last_used_at === null ? 'never' : when(last_used_at)}</dd>
</dl>
<a class="btn" href="${own}/${id}/revoke">Revoke access<span class="sr"> of ${app}, given ${created_at.slice(0, 16).replace('T', ' ')}</span></a>
</article>
`;
}

/**
 * Returns the user who consented. The consent stays valid when that user is deactivated, so the page shows this to the
 * other owners.
 */
function giver({ granted_by: id, granted_by_status: status }: OAuthConsent, emails: ReadonlyMap<string, string>): Html {
  const who = emails.get(id);
  return html`${who ?? html`<code>${id}</code>`}${status === 'suspended' && html` <span class="badge bad">Deactivated</span>`}`;
}

function pager(own: string, consents: readonly OAuthConsent[], newer: boolean, older: boolean): HtmlValue {
  if (!newer && !older) return null;
  return html`<nav class="pager" aria-label="Pagination">
${newer && html`<a class="btn" href="${own}?ending_before=${consents[0]?.id}">Newer</a>`}
${older && html`<a class="btn" href="${own}?starting_after=${consents.at(-1)?.id}">Older</a>`}
</nav>`;
}

interface RevokeShown extends Shown {
  readonly session: AdminSession | DeveloperSession;
  readonly consent: OAuthConsent;
}

export function revokeConsentPage({ session, own, here, words, consent }: RevokeShown): SignedInPage {
  const { id, app_name: app, scopes } = consent;
  return {
    title: `Revoke the access of ${app}?`,
    here,
    below: [{ path: here, words: words.title }],
    narrow: true,
    body: confirmation({
      words: html`<p>All tokens of the app for this tenant stop working at once. The app loses these permissions until an owner consents again:</p>
${scopeList(scopes)}`,
      form: form(
        { session, action: `${own}/${id}/revoke`, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Revoke access</button>`,
      ),
      backTo: own,
    }),
  };
}
