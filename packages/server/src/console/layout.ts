import { type AdminSession, CSRF_FIELD, type DeveloperSession } from '../accounts/session.ts';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { type HtmlValue, html } from '../http/html.ts';
import type { Page } from '../http/page.ts';
import { PLACES } from './places.ts';

interface Entry {
  readonly path: string;
  readonly words: string;
}

/** What leads from every page of somebody who is signed in to the others. */
const NAVIGATION: Readonly<Record<SessionKind, readonly Entry[]>> = {
  admin: [{ path: '/', words: 'Home' }],
  developer: [{ path: '/console', words: 'Home' }],
};

interface SignedInPage extends Omit<Page, 'bar'> {
  /** The path of the page in the navigation, when it is one of those. */
  readonly here?: string;
}

/** A page of somebody who is signed in: the bar says who, leads to the other pages, and signs out. */
export function signedInPage(
  session: AdminSession | DeveloperSession,
  base: string,
  { here, ...page }: SignedInPage,
): Page {
  const entries = NAVIGATION[session.kind].map(
    ({ path, words }) => html`<a href="${base}${path}"${path === here && html` aria-current="page"`}>${words}</a>`,
  );
  const bar = html`<nav aria-label="Pages">${entries}</nav>
<div class="who"><span>${session.email}</span>
<form method="post" action="${base}${PLACES[session.kind].signOut}">${csrfField(session)}<button type="submit" class="plain">Sign out</button></form></div>`;
  return { ...page, bar };
}

/** What every form of a signed-in page holds. */
export function csrfField({ csrfToken }: Pick<AdminSession, 'csrfToken'>): HtmlValue {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`;
}
