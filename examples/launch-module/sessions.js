import { randomBytes } from 'node:crypto';

const COOKIE = 'analytics_session';
const LIFETIME_MS = 60 * 60_000;

/** Id → who it is and until when. In memory: a module of several processes keeps it where all of them look. */
const sessions = new Map();

/**
 * Opens a session for whoever was launched. It holds what the token said, and not the token: that one has done its work.
 * @param {import('express').Response} response
 * @param {import('@plat/launch-token').LaunchClaims} claims
 */
export function openSession(response, { tenant, client, user, role, entitlements, groupId }) {
  dropExpired();
  const id = randomBytes(32).toString('base64url');
  const expiresAt = Date.now() + LIFETIME_MS;
  sessions.set(id, { tenant, client, user, role, entitlements, groupId, expiresAt });
  // Lax, not Strict: the redirect behind the launch still counts as coming from the platform.
  response.cookie(COOKIE, id, { httpOnly: true, sameSite: 'lax', secure: response.req.secure, maxAge: LIFETIME_MS });
}

/**
 * The session of a request, if it has one that goes on.
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
