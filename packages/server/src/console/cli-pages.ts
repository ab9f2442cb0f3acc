import { utcMinute } from '../accounts/invitations.ts';
import type { DeveloperSession } from '../accounts/session.ts';
import type { DeviceLogin } from '../developer/device-logins.ts';
import { html } from '../http/html.ts';
import { form } from './forms.ts';
import type { SignedInPage } from './layout.ts';

interface Asking {
  /** Path of this page, with the prefix. */
  readonly action: string;
  /** Fault of the code that was typed before. */
  readonly problem?: string;
}

/** Builds the page where the user enters a code. Its form changes nothing. */
export function codePage({ action, problem }: Asking): SignedInPage {
  return {
    narrow: true,
    title: 'Sign in to the terminal',
    body: html`${problem !== undefined && html`<p class="notice bad" role="alert" id="problem">${problem}</p>`}
<form method="get" action="${action}" class="form flow">
<div class="field">
<label for="user_code">Code from the terminal</label>
<input class="input one-time" id="user_code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required aria-describedby="code-hint"${problem !== undefined && html` aria-invalid="true" aria-errormessage="problem" autofocus`}>
<p class="hint" id="code-hint">Eight letters, such as BCDF-GHJK. <code>plat login</code> shows it.</p>
</div>
<button type="submit" class="btn btn-primary">Continue</button>
</form>`,
  };
}

interface Waiting {
  readonly session: DeveloperSession;
  readonly action: string;
  readonly userCode: string;
  readonly login: DeviceLogin;
}

/** Builds the page of the decision. Both buttons look the same (RFC 8628, section 5.4). */
export function approvalPage({ session, action, userCode, login }: Waiting): SignedInPage {
  return {
    narrow: true,
    title: 'Sign in to the terminal?',
    body: html`<p>A program asks to act as <strong>${session.email}</strong>. It can create the API key of your sandbox, reset the sandbox, and change your OAuth apps and consents.</p>
<dl class="kv">
<dt>Code</dt><dd><code>${userCode}</code></dd>
<dt>Program</dt><dd>${login.clientName}</dd>
<dt>Address</dt><dd>${login.ip ?? 'unknown'}</dd>
<dt>Requested</dt><dd>${utcMinute(login.createdAt)}</dd>
</dl>
<p>Approve only if you have just started this yourself and your terminal shows this code.</p>
${form(
  { session, action, hidden: { user_code: userCode }, look: 'inline' },
  html`<div class="actions equal">
<button type="submit" name="answer" value="deny" class="btn">Deny</button>
<button type="submit" name="answer" value="approve" class="btn">Approve</button>
</div>`,
)}`,
  };
}

/** Builds the page that confirms the decision. */
export function answeredPage(answer: 'approved' | 'denied'): SignedInPage {
  const approves = answer === 'approved';
  return {
    narrow: true,
    title: approves ? 'The terminal is signed in' : 'Access denied',
    body: approves
      ? html`<p class="notice good">Go back to your terminal. You can close this page.</p>`
      : html`<p>The program gets no access. You can close this page.</p>`,
  };
}
