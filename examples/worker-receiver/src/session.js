import { env } from 'cloudflare:workers';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

const COOKIE = 'session';
const LIFETIME_SECONDS = 60 * 60;

/** Opens a session with the claims of a launch token, in a signed cookie: a worker has no memory between requests. */
export async function openSession(context, { tenant, user, role }) {
  const session = JSON.stringify({ tenant, user, role, expiresAt: Date.now() + LIFETIME_SECONDS * 1000 });
  await setSignedCookie(context, COOKIE, session, env.SESSION_SECRET, {
    httpOnly: true,
    // Lax, not Strict: browsers treat the redirect after the launch as coming from the platform.
    sameSite: 'Lax',
    secure: new URL(context.req.url).protocol === 'https:',
    path: '/',
    maxAge: LIFETIME_SECONDS,
  });
}

/** Returns the session of a request, or undefined if it has none, an expired or a forged one. */
export async function sessionOf(context) {
  const signed = await getSignedCookie(context, env.SESSION_SECRET, COOKIE);
  const session = signed ? JSON.parse(signed) : undefined;
  return session?.expiresAt > Date.now() ? session : undefined;
}
