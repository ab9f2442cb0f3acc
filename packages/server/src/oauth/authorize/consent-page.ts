import { type ErrorCode, OAUTH_PATHS, SCOPES, type Scope } from '@plat/contract';
import { CSRF_FIELD } from '../../accounts/session.ts';
import type { Account } from '../../accounts/sign-in.ts';
import { type Html, html, isolated } from '../../http/html.ts';
import { modeBadge } from '../../http/mode-badge.ts';
import type { Page } from '../../http/page.ts';
import type { ApiError } from '../../kernel/api-error.ts';
import type { RequestingApp } from './authorization-request.ts';
import { FORM_ID_FIELD } from './consent-form.ts';

/** Path of the form that switches to another account. */
export const ACCOUNT_PATH = `${OAUTH_PATHS.authorize}/account`;

/** The access that an owner decides about. */
export interface ConsentQuestion {
  readonly app: RequestingApp;
  readonly scopes: readonly Scope[];
  readonly redirectUri: string;
  readonly tenantName: string;
  /** Email address of the owner. */
  readonly email: string;
  readonly csrfToken: string;
  /** Parameters of the authorization request, which the form repeats. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly formId: string;
  readonly switching: Switching;
}

/** Data of the forms that switch to another account. */
export interface Switching {
  /** Accounts of other tenants with the same email address. */
  readonly others: readonly Account[];
  /** Path prefix of links. The page may answer a form, whose path is longer than that of the request. */
  readonly base: string;
  readonly csrfToken: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Builds the page that asks an owner to allow or deny access. It works without script, and showing it changes nothing.
 */
export function consentPage(question: ConsentQuestion): Page {
  const { app, scopes, redirectUri, tenantName, email, csrfToken, parameters, formId, switching } = question;
  const isVerified = app.verification === 'verified';
  return {
    narrow: true,
    title: `Give ${app.name} access to ${tenantName}?`,
    heading: html`Give ${isolated(app.name)} access to ${isolated(tenantName)}?`,
    body: html`<dl class="kv">
<dt>App</dt><dd>${isolated(app.name)} <span class="badge ${isVerified ? 'good' : ''}">${isVerified ? 'Verified' : 'Not verified'}</span></dd>
${app.website && html`<dt>Website</dt><dd><a href="${app.website}" rel="noreferrer">${hostOf(app.website)}</a></dd>`}
<dt>Tenant</dt><dd>${isolated(tenantName)}</dd>
<dt>You</dt><dd>${isolated(email)}</dd>
</dl>
${
  isVerified
    ? html`<p>The platform has reviewed this app.</p>`
    : html`<p class="notice warn">The platform has not reviewed this app. It works with developer sandboxes only.</p>`
}
<h2>Requested permissions</h2>
<ul class="bullets">
${scopes.map((scope) => html`<li>${SCOPES[scope]}</li>\n`)}</ul>
<p>After your decision you return to <strong>${hostOf(redirectUri)}</strong>. An owner can revoke the access at any time.</p>
<form method="post" action="authorize/decision">
${hidden({ ...parameters, [FORM_ID_FIELD]: formId, [CSRF_FIELD]: csrfToken })}<div class="actions equal">
<button type="submit" class="btn" name="decision" value="deny">Deny</button>
<button type="submit" class="btn" name="decision" value="allow">Allow</button>
</div>
</form>
${accountChoice(switching)}`,
  };
}

/**
 * Lets the user continue with the account of another tenant, or sign in with another address, and return to the
 * request.
 */
function accountChoice({ others, base, csrfToken, parameters }: Switching): Html {
  const token = { [CSRF_FIELD]: csrfToken };
  const buttons = others.map(
    ({ userId, tenantName, sandbox, role }) => html`<form method="post" action="${base}${ACCOUNT_PATH}">
${hidden({ ...parameters, ...token, user_id: userId })}<button type="submit" class="btn">${isolated(tenantName)} ${modeBadge(sandbox)} (${isolated(role)})</button>
</form>
`,
  );
  const returnTo = `${OAUTH_PATHS.authorize}?${new URLSearchParams(parameters)}`;
  return html`<h2>Not this tenant or account?</h2>
<p>You come back to this page afterwards. The app isn't notified.</p>
${buttons}<form method="post" action="${base}/sign-out">
${hidden({ ...token, return_to: returnTo })}<button type="submit" class="btn">Sign in with another account</button>
</form>`;
}

function hidden(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);
}

/** Page for an error that is not sent to the app. */
export function refusalPage({ code, message }: ApiError, requestId: string, switching: Switching | null): Page {
  return {
    narrow: true,
    title: "The app can't be given access",
    body: html`<p>${message}.</p>
<p>${ADVICE[code] ?? 'The link that brought you here is invalid. Go back to the app and report this to its developer.'}</p>
${switching && accountChoice(switching)}
<p class="muted">Request <code>${requestId}</code></p>`,
  };
}

const ADVICE: { readonly [C in ErrorCode]?: string } = {
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: 'The developer of the app can ask the platform to review it.',
  FORBIDDEN: 'Go back to the app and start again.',
};

function hostOf(url: string): string {
  return new URL(url).host;
}
