import { CSRF_FIELD } from '../accounts/session.ts';
import type { Account } from '../accounts/sign-in.ts';
import { type Html, type HtmlValue, html, isolated } from '../http/html.ts';
import { modeBadge } from '../http/mode-badge.ts';
import type { Page } from '../http/page.ts';
import type { WaitingApp } from '../oauth/authorize/waiting-app.ts';
import type { Place } from './places.ts';

/** Data of every sign-in page. */
interface Shown {
  readonly place: Place;
  /** Prefix of own paths. */
  readonly base: string;
  readonly csrfToken: string;
  /** Problem of the form that was posted before. */
  readonly problem?: string;
}

interface Asking extends Shown {
  readonly email: string;
  readonly returnTo: string;
  /** Email address of the account that is already signed in. */
  readonly signedInAs: string | null;
  /** The app that sent the user here, if any. */
  readonly app: WaitingApp | null;
}

export function signInPage({ place, base, csrfToken, problem, email, returnTo, signedInAs, app }: Asking): Page {
  return {
    narrow: true,
    title: place.title,
    body: html`${app ? waiting(app) : html`<p>${place.whom}</p>`}
${signedInAs && html`<p class="notice">You are signed in as ${signedInAs}. <a href="${base}${returnTo}">Continue</a></p>`}
${alert(problem)}
<form method="post" action="${base}${place.signIn}" class="form flow">
${hidden({ [CSRF_FIELD]: csrfToken, return_to: returnTo })}
<div class="field">
<label for="email">Email address</label>
<input class="input" id="email" name="email" type="email" autocomplete="email" maxlength="254" required value="${email}"${invalid(problem)}>
</div>
<button type="submit" class="btn btn-primary">Email me a link</button>
</form>
${!app && html`<p><a href="${base}${place.other.path}">${place.other.words}</a></p>`}`,
  };
}

function waiting({ name, verification }: WaitingApp): Html {
  return html`<p>Sign in to continue to <strong>${isolated(name)}</strong>. An owner of a tenant can give it access.</p>
${
  verification !== 'verified' &&
  html`<p class="notice">The platform has not reviewed this app. It works with developer sandboxes only: use the email address of an owner of the sandbox, such as its developer.</p>`
}`;
}

interface CodeAsked extends Shown {
  readonly email: string;
  /** True if the server shows its mails at `/_dev/mail` instead of sending them. */
  readonly showsDevMail: boolean;
}

export function codePage({ place, base, csrfToken, problem, email, showsDevMail }: CodeAsked): Page {
  const who =
    place.kind === 'developer'
      ? html`We sent an email to ${email}.`
      : html`If ${email} can sign in here, we sent an email to it.`;
  return {
    narrow: true,
    title: 'Check your email',
    body: html`<p>${who} Open its link in this browser, or enter its code here. Both expire after 15 minutes.</p>
${showsDevMail && html`<p class="notice">Development mode: emails are not sent. <a href="${base}/_dev/mail">Open the email</a></p>`}
${alert(problem)}
<form method="post" action="${base}${place.signIn}/code" class="form flow">
${hidden({ [CSRF_FIELD]: csrfToken })}
<div class="field">
<label for="code">Code from the email</label>
<input class="input one-time" id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="20" required aria-describedby="code-hint"${invalid(problem)}>
<p class="hint" id="code-hint">Eight letters and digits.</p>
</div>
<button type="submit" class="btn btn-primary">Sign in</button>
</form>
<p><a href="${base}${place.signIn}">Send another email</a></p>`,
  };
}

/**
 * Page of a link, in the browser that requested it. It has a button, because mail scanners open links but press no
 * buttons.
 */
export function linkPage({ place, base, csrfToken, email, token }: Shown & Record<'email' | 'token', string>): Page {
  return {
    narrow: true,
    title: place.title,
    body: html`<form method="post" action="${base}${place.signIn}/link" class="form flow">
<p>You are about to sign in as <strong>${email}</strong>.</p>
${hidden({ [CSRF_FIELD]: csrfToken, token })}
<button type="submit" class="btn btn-primary">Sign in</button>
</form>`,
  };
}

/** Page of a link in any other browser. It is the same for every link, valid or not. */
export function otherBrowserPage(): Page {
  return {
    narrow: true,
    title: 'Continue in the browser where you started',
    body: html`<p>This link works only in the browser that requested it. Go back to that browser and enter the code from the same email.</p>
<p>If you didn't request this, ignore the email and don't share the code.</p>`,
  };
}

export function choicePage({
  place,
  base,
  csrfToken,
  accounts,
}: Shown & { readonly accounts: readonly Account[] }): Page {
  return {
    narrow: true,
    title: 'Choose a tenant',
    body: html`<p>You are a user of several tenants. Choose the one to sign in to.</p>
<form method="post" action="${base}${place.signIn}/tenant" class="form flow">
${hidden({ [CSRF_FIELD]: csrfToken })}
<fieldset class="field">
<legend>Tenant</legend>
${accounts.map(choice)}
</fieldset>
<button type="submit" class="btn btn-primary">Sign in</button>
</form>`,
  };
}

/** Page for invalid links and codes, and for expired forms. */
export function refusedPage(place: Place, base: string, message: string): Page {
  return {
    narrow: true,
    title: 'Sign-in failed',
    body: html`${alert(`${message}.`)}
<p><a class="btn btn-primary" href="${base}${place.signIn}">Sign in again</a></p>`,
  };
}

function choice({ userId, tenantName, sandbox, role }: Account, i: number): Html {
  return html`<label class="check"><input type="radio" name="user_id" value="${userId}" required${i === 0 && html` checked`}>
<span>${isolated(tenantName)} ${modeBadge(sandbox)} <span class="muted">(${role})</span></span></label>
`;
}

function alert(problem: string | undefined): HtmlValue {
  return problem !== undefined && html`<p class="notice bad" role="alert" id="problem">${problem}</p>`;
}

/** Returns the attributes of the field that the alert describes. */
function invalid(problem: string | undefined): HtmlValue {
  return problem !== undefined && html` aria-invalid="true" aria-errormessage="problem" autofocus`;
}

function hidden(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}
