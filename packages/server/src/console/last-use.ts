import { type Html, html } from '../http/html.ts';
import { listRequests } from '../resources/requests/requests.service.ts';
import type { PageCall } from './page-route.ts';
import { statusBadge } from './parts/badge.ts';
import { ago } from './parts/time.ts';

/**
 * Shows the latest request with a key or a consent that the request log has. Without one it says what the log keeps: the
 * credential may have been used before.
 */
export async function lastUse(call: PageCall, credentialId: string): Promise<Html> {
  const { ctx, base, prefix, now } = call;
  const {
    data: [latest],
  } = await listRequests(ctx, { credential_id: credentialId, limit: 1 });
  const kept = html`<span class="muted">The request log keeps ${reachOf(call)}.</span>`;
  if (!latest) return html`No request in the log. ${kept}`;
  const { id, method, path, status, created_at } = latest;
  const own = `${base}${prefix}/requests`;
  return html`<a class="mono" href="${own}/${id}">${method} ${path}</a> ${statusBadge(status)} ${ago(created_at, now)} · <a href="${own}?credential_id=${credentialId}">All its requests</a>${
    !keepsAll(call) && html` ${kept}`
  }`;
}

/** The requests that the log keeps of the tenant, in words. */
export function reachOf(call: Kept): string {
  const { session, logged } = call;
  const { keep, days, rows } = logged;
  if (keep === 'off') return 'no requests on this server';
  const most = (session.sandbox ? rows.sandbox : rows.production).toLocaleString('en');
  return keepsAll(call)
    ? `the latest ${most} requests, for ${days} days`
    : `the latest ${most} refused and failed requests of a production tenant, for ${days} days`;
}

/** The tenant, and what the log keeps. */
export type Kept = Pick<PageCall, 'session' | 'logged'>;

/** True if the log keeps every request of the tenant. */
export function keepsAll({ session, logged: { keep } }: Kept): boolean {
  return keep === 'all' || (keep === 'errors' && session.sandbox);
}
