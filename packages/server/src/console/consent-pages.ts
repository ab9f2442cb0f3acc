import type { OAuthConsent } from '@plat/contract';
import { type Html, html, isolated } from '../http/html.ts';
import type { Page } from '../http/route.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall } from './page-route.ts';
import { badge } from './parts/badge.ts';
import { emptyState } from './parts/empty.ts';
import { copyId, kv } from './parts/kv.ts';
import { pager } from './parts/list.ts';
import { table } from './parts/table.ts';
import { ago, agoOrNever, instant } from './parts/time.ts';
import { scopeList } from './scopes-field.ts';
import { confirmation, doneNotice, verificationBadge } from './texts.ts';

/** Texts for the tenant that the pages describe. */
export interface ConsentWords {
  /** Path of the list. */
  readonly here: string;
  readonly title: string;
  readonly lead: string;
  readonly none: string;
}

/** User id → email address. */
type Emails = ReadonlyMap<string, string>;

export function consentsPage(
  { base, query, now }: PageCall,
  { here, title, lead, none }: ConsentWords,
  list: Page<OAuthConsent>,
  emails: Emails,
): SignedInPage {
  const own = base + here;
  return {
    title,
    here,
    lede: lead,
    body: html`${doneNotice(query['done'], { revoked: 'Access revoked. All tokens of the app have ended.' })}
${
  list.data.length === 0
    ? emptyState({
        title: none,
        words: 'An app appears here when an owner of the tenant gives it access. Try the flow in a terminal:',
        command: { label: 'plat', text: 'plat oauth try' },
      })
    : table({
        caption: 'Apps with access, newest consent first',
        items: list.data,
        columns: [
          {
            words: 'App',
            isHead: true,
            look: 'grow',
            cell: ({ id, app_name }) => html`<a class="row-link" href="${own}/${id}">${isolated(app_name)}</a>`,
          },
          {
            words: 'Review',
            look: 'wide nowrap',
            cell: ({ app_verification }) => verificationBadge(app_verification),
          },
          { words: 'Scopes', look: 'wide num', cell: ({ scopes }) => scopes.length },
          { words: 'Given by', look: 'wide nowrap soft', cell: (consent) => giver(consent, emails) },
          { words: 'Given', look: 'nowrap muted', cell: ({ created_at }) => ago(created_at, now) },
          {
            words: 'Last tokens',
            look: 'wide nowrap muted',
            cell: ({ last_used_at }) => agoOrNever(last_used_at, now),
          },
        ],
      })
}
${pager({ own, query, nouns: 'consents' }, list)}`,
  };
}

interface ConsentShown {
  readonly consent: OAuthConsent;
  readonly emails: Emails;
  /** The latest request with the consent. */
  readonly lastUse: Html;
}

/** Builds the page of one consent: its scopes, its user and its use. */
export function consentPage(
  { base, prefix, now }: PageCall,
  { here, title }: ConsentWords,
  { consent, emails, lastUse }: ConsentShown,
): SignedInPage {
  const { id, app_id, app_name, app_verification, scopes, created_at, last_used_at } = consent;
  return {
    title: app_name,
    heading: isolated(app_name),
    here,
    below: [{ path: here, words: title }],
    badges: html` ${verificationBadge(app_verification)}`,
    meta: html`<span>${copyId(id)}</span>`,
    actions: html`<a class="btn btn-danger" href="${base}${here}/${id}/revoke">Revoke access</a>`,
    body: html`${kv([
      ['App', html`<code>${app_id}</code>`],
      ['Given', instant(created_at)],
      ['Given by', giver(consent, emails)],
      ['Last used', lastUse],
      ['Last tokens', agoOrNever(last_used_at, now)],
      ['Changes', html`<a href="${base}${prefix}/audit?actor_id=${app_id}">Audit entries of this app</a>`],
    ])}
<section class="section" aria-labelledby="scopes"><h2 id="scopes">Scopes</h2>
${scopeList(scopes)}</section>`,
  };
}

/**
 * Returns the user who consented. The consent stays valid when that user is deactivated, so the page shows this to the
 * other owners.
 */
function giver({ granted_by: id, granted_by_status: status }: OAuthConsent, emails: Emails): Html {
  const who = emails.get(id);
  return html`${who ?? html`<code>${id}</code>`}${status === 'suspended' && html` ${badge('Deactivated', 'bad')}`}`;
}

export function revokeConsentPage(
  { base, session }: PageCall,
  { here, title }: ConsentWords,
  { id, app_name: app, scopes }: OAuthConsent,
): SignedInPage {
  const own = `${base}${here}/${id}`;
  return {
    title: `Revoke the access of ${app}?`,
    here,
    below: [
      { path: here, words: title },
      { path: `${here}/${id}`, words: app },
    ],
    narrow: true,
    body: confirmation({
      words: html`<p>All tokens of the app for this tenant stop working at once. The app loses these permissions until an owner consents again:</p>
${scopeList(scopes)}`,
      form: form(
        { session, action: `${own}/revoke`, look: 'inline' },
        html`<button type="submit" class="btn btn-danger">Revoke access</button>`,
      ),
      backTo: own,
    }),
  };
}
