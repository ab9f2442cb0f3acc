import { randomBytes } from 'node:crypto';

const COOKIE = 'analytics_session';
const LIFETIME_MS = 60 * 60_000;

/** Sessions by id, in memory. A module with several processes needs a shared store. */
const sessions = new Map();

/**
 * Opens a session with the claims of a launch token. It does not store the token, which is needed only once.
 * @param {import('express').Response} response
 * @param {import('@plat/launch-token').LaunchClaims} claims
 */
export function openSession(response, { tenant, client, user, role, entitlements, groupId }) {
  dropExpired();
  const id = randomBytes(32).toString('base64url');
  const expiresAt = Date.now() + LIFETIME_MS;
  sessions.set(id, { tenant, client, user, role, entitlements, groupId, expiresAt });
  // Lax, not Strict: browsers treat the redirect after the launch as coming from the platform.
  response.cookie(COOKIE, id, { httpOnly: true, sameSite: 'lax', secure: response.req.secure, maxAge: LIFETIME_MS });
}

/**
 * Returns the session of a request, or undefined if it has none or an expired one.
 * @param {import('express').Request} request
 */
export function sessionOf(request) {
  const [, id = ''] = new RegExp(`(?:^|; )${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '') ?? [];
  const session = sessions.get(id);
  return session && session.expiresAt > Date.now() ? session : undefined;
}

function dropExpired() {
  for (const [id, { expiresAt }] of sessions) if (expiresAt <= Date.now()) sessions.delete(id);
}
