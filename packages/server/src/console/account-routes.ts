import { findOtherAccounts } from '../accounts/other-accounts.ts';
import type { Account } from '../accounts/sign-in.ts';
import { html, isolated } from '../http/html.ts';
import { modeBadge } from '../http/mode-badge.ts';
import { ApiError } from '../kernel/api-error.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { PLACES } from './places.ts';

const PATH = '/tenants';

/** The switch to another tenant of the same person, without signing out. */
export const accountRoutes: readonly PageRoute<'admin'>[] = [
  {
    room: 'account',
    method: 'GET',
    path: PATH,
    async handle(call) {
      return { page: tenantsPage(call, await findOtherAccounts(call.db, call.session)) };
    },
  },
  {
    room: 'account',
    method: 'POST',
    path: PATH,
    async handle({ session, db, fields }) {
      const others = await findOtherAccounts(db, session);
      const chosen = others.find(({ userId }) => userId === fields['user_id']);
      if (!chosen) throw new ApiError('NOT_FOUND', 'You are no active user of this tenant');
      return { goTo: PLACES.admin.home, switchTo: chosen };
    },
  },
];

function tenantsPage({ session, base }: PageCall<'admin'>, others: readonly Account[]): SignedInPage {
  const items = others.map(
    ({ userId, tenantName, sandbox, role }) => html`<li class="item">
<h2>${isolated(tenantName)} ${modeBadge(sandbox)}</h2>
<p class="muted">Your role: ${isolated(role)}</p>
${form(
  { session, action: base + PATH, hidden: { user_id: userId }, look: 'inline' },
  html`<button type="submit" class="btn">Switch to this tenant<span class="sr">: ${tenantName}</span></button>`,
)}</li>
`,
  );
  const none = session.sandbox
    ? html`<p>From a sandbox you can't switch. To use another tenant, sign out, then sign in with your email address.</p>`
    : html`<p>You are a user of no other active tenant.</p>`;
  return {
    title: 'Switch tenant',
    lede: html`You are signed in to ${isolated(session.tenantName)} as ${session.email}.`,
    narrow: true,
    body: others.length === 0 ? none : html`<ul>\n${items}</ul>`,
  };
}
