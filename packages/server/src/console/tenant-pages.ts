import type { Tenant } from '@plat/contract';
import type { AdminSession } from '../accounts/session.ts';
import { type HtmlValue, html } from '../http/html.ts';
import type { SignedInPage } from './layout.ts';
import { PLACES } from './places.ts';

interface HomeShown {
  readonly session: AdminSession;
  readonly base: string;
  /** The overview of the integration; null for roles that may not see it. */
  readonly state: HtmlValue;
  readonly tenant: Tenant;
  /** Display name of the user's role. */
  readonly roleTitle: string;
}

export function tenantPage({ session, base, state, tenant, roleTitle }: HomeShown): SignedInPage {
  return {
    title: tenant.name,
    here: PLACES.admin.home,
    lede: tenant.sandbox && 'This tenant is the sandbox of a developer.',
    body: html`${state}
<h2>Your access</h2>
<dl class="kv">
<dt>You</dt><dd>${session.email}</dd>
<dt>Your role</dt><dd>${roleTitle}</dd>
<dt>Tenant</dt><dd><code>${session.tenantId}</code></dd>
</dl>
${
  session.role === 'owner'
    ? html`<h2>Apps with access</h2>
<p>As an owner you can give OAuth apps access to the tenant and revoke it.</p>
<p><a class="btn" href="${base}/consents">View apps with access</a></p>`
    : html`<p>Only owners can see and manage the apps with access to the tenant.</p>`
}`,
  };
}
