import { Router } from 'express';
import { adminSessionOf, developerSessionOf } from '../accounts/session.ts';
import { html } from '../http/html.ts';
import { OWN_FORMS, sendPage } from '../http/page.ts';
import { signedInPage } from './layout.ts';
import { PLACES } from './places.ts';
import { requireAdmin, requireDeveloper } from './require-session.ts';

/** The first page of a tenant's users. */
export function adminHome(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PLACES.admin.home, requireAdmin, (req, res) => {
    const session = adminSessionOf(req);
    if (!session) return;
    const body = html`<dl class="card">
<dt>Signed in as</dt><dd>${session.email}</dd>
<dt>Role</dt><dd>${session.role}</dd>
<dt>Tenant</dt><dd><code>${session.tenantId}</code></dd>
</dl>`;
    const page = { title: 'Your account', body, here: PLACES.admin.home };
    sendPage(res, 200, signedInPage(session, res.locals.site.base, page), OWN_FORMS);
  });
  return router;
}

/** The first page of developers. */
export function developerHome(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(PLACES.developer.home, requireDeveloper, (req, res) => {
    const session = developerSessionOf(req);
    if (!session) return;
    const body = html`<dl class="card">
<dt>Signed in as</dt><dd>${session.email}</dd>
<dt>Sandbox tenant</dt><dd><code>${session.tenantId}</code></dd>
</dl>`;
    const page = { title: 'Developer console', body, here: PLACES.developer.home };
    sendPage(res, 200, signedInPage(session, res.locals.site.base, page), OWN_FORMS);
  });
  return router;
}
