import { type AdminSession, CSRF_FIELD, type DeveloperSession } from '../accounts/session.ts';
import { type HtmlValue, html } from '../http/html.ts';
import type { Page } from '../http/page.ts';
import { PLACES } from './places.ts';

export interface Entry {
  readonly path: string;
  readonly words: string;
}

/** A page of a signed-in account. */
export interface SignedInPage extends Omit<Page, 'bar' | 'trail'> {
  /** Path of the navigation entry that the page belongs to. */
  readonly here?: string;
  /** Parent pages, for the breadcrumbs. */
  readonly below?: readonly Entry[];
}

/** Builds the page of a signed-in account, with the account, the navigation and the sign-out button. */
export function signedInPage(
  session: AdminSession | DeveloperSession,
  base: string,
  { here, below = [], ...page }: SignedInPage,
): Page {
  const current = below.length === 0 ? 'page' : 'true';
  const entries = navigationOf(session).map(
    ({ path, words }) =>
      html`<a href="${base}${path}"${path === here && html` aria-current="${current}"`}>${words}</a>`,
  );
  const bar = html`<nav aria-label="Main">${entries}</nav>
<div class="who"><span>${session.email}</span>
<form method="post" action="${base}${PLACES[session.kind].signOut}">${csrfField(session)}<button type="submit" class="plain">Sign out</button></form></div>`;
  return { ...page, bar, ...(below.length === 0 ? {} : { trail: trailOf(below, base) }) };
}

/** Returns the hidden field that every form of a signed-in page contains. */
export function csrfField({ csrfToken }: Pick<AdminSession, 'csrfToken'>): HtmlValue {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`;
}

/** Returns the navigation of every signed-in page. */
function navigationOf(session: AdminSession | DeveloperSession): readonly Entry[] {
  if (session.kind === 'developer') {
    return [
      { path: '/console', words: 'Home' },
      { path: '/console/key', words: 'API key' },
      { path: '/console/apps', words: 'OAuth apps' },
      { path: '/console/consents', words: 'Consents' },
    ];
  }
  const all = [
    { path: '/', words: 'Home' },
    { path: '/modules', words: 'Modules' },
  ];
  return session.role === 'owner' ? [...all, { path: '/consents', words: 'Apps with access' }] : all;
}

function trailOf(entries: readonly Entry[], base: string): HtmlValue {
  const items = entries.map(({ path, words }) => html`<li><a href="${base}${path}">${words}</a></li>`);
  return html`<nav class="trail" aria-label="Breadcrumbs"><ol>${items}</ol></nav>`;
}
