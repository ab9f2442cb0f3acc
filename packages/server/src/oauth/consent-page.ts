import { type ErrorCode, SCOPES, type Scope } from '@plat/contract';
import { CSRF_FIELD } from '../accounts/session.ts';
import { html } from '../http/html.ts';
import type { Page } from '../http/page.ts';
import type { ApiError } from '../kernel/api-error.ts';
import type { RequestingApp } from './authorization-request.ts';

/** What an owner decides about. */
export interface ConsentQuestion {
  readonly app: RequestingApp;
  readonly scopes: readonly Scope[];
  readonly redirectUri: string;
  readonly tenantName: string;
  /** Of the owner. */
  readonly email: string;
  readonly csrfToken: string;
  /** The parameters of the request, to be sent along with the decision. */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Asks an owner whether an app may have access. It works without script, and changes nothing by being shown. */
export function consentPage(question: ConsentQuestion): Page {
  const { app, scopes, redirectUri, tenantName, email, csrfToken, parameters } = question;
  const fields = Object.entries({ ...parameters, [CSRF_FIELD]: csrfToken });
  return {
    title: `Give ${app.name} access to ${tenantName}?`,
    body: html`<dl>
<dt>App</dt><dd>${app.name}${app.website && html` (<a href="${app.website}" rel="noreferrer">${hostOf(app.website)}</a>)`}</dd>
<dt>Review</dt><dd>${
      app.verification === 'verified'
        ? 'Verified: the platform has reviewed this app.'
        : 'Not verified: the platform has not reviewed this app. It works with sandboxes only.'
    }</dd>
<dt>Tenant</dt><dd>${tenantName}</dd>
<dt>You</dt><dd>${email}</dd>
<dt>You return to</dt><dd>${hostOf(redirectUri)}</dd>
</dl>
<h2>The app will be able to</h2>
<ul>
${scopes.map((scope) => html`<li>${SCOPES[scope]}</li>\n`)}</ul>
<p>You can take the access back at any time.</p>
<form method="post" action="authorize/decision">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<button type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="allow">Allow</button>
</form>`,
  };
}

/** What people see when a request cannot be shown, and cannot go back to the app either. */
export function refusalPage({ code, message }: ApiError, requestId: string): Page {
  return {
    title: 'The app cannot be given access',
    body: html`<p>${message}.</p>
<p>${ADVICE[code] ?? 'The link that brought you here is not right. Go back to the app, and tell those who run it.'}</p>
<p>Request ${requestId}</p>`,
  };
}

const ADVICE: { readonly [C in ErrorCode]?: string } = {
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: 'Those who run the app can ask the platform to review it.',
  FORBIDDEN: 'Go back to the app and begin again.',
};

function hostOf(url: string): string {
  return new URL(url).host;
}
