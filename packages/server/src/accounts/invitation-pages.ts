import type { UserRow } from '../db/tables/users.ts';
import { html } from '../http/html.ts';
import type { Page } from '../http/page.ts';
import type { ApiError } from '../kernel/api-error.ts';
import { type InvitationWords, utcMinute } from './invitations.ts';

/** Builds the page of an invitation, with the button that accepts it. */
export function invitationPage(
  user: UserRow,
  { tenantName, sandbox, roleTitle }: InvitationWords,
  token: string,
): Page {
  return {
    narrow: true,
    title: `Invitation to ${tenantName}`,
    // The form posts to the page's own address, so it works under any path prefix.
    body: html`<p>${tenantName} invites you to join.${sandbox === 1 && ' This tenant is the sandbox of a developer.'}</p>
<dl class="kv">
<dt>Email</dt><dd>${user.email}</dd>
<dt>Role</dt><dd>${roleTitle}</dd>
<dt>Valid until</dt><dd>${utcMinute(user.invitation_expires_at ?? 0)}</dd>
</dl>
<form method="post" action="accept">
<input type="hidden" name="token" value="${token}">
<button type="submit" class="btn btn-primary">Accept invitation</button>
</form>`,
  };
}

export function acceptedPage(email: string, base: string): Page {
  return {
    narrow: true,
    title: 'Invitation accepted',
    body: html`<p>${email} is now active.</p>
<p><a class="btn btn-primary" href="${base}/sign-in">Sign in</a></p>`,
  };
}

export function refusalPage({ code, message }: ApiError): Page {
  const advice =
    code === 'NOT_FOUND' &&
    html`<p>Only the link in the latest email works, and it works once. Ask the person who invited you for a new one.</p>`;
  return { title: "The invitation can't be accepted", body: html`<p>${message}.</p>${advice}` };
}
