import { aesGcm } from '@plat/sdk/oauth';
import { cookies } from 'next/headers';

const LIFETIME_SECONDS = 30 * 24 * 60 * 60;

/** Returns the content of an encrypted cookie, or an empty object without a valid one. */
export async function readSession(name = 'session') {
  const value = (await cookies()).get(name)?.value;
  try {
    const { expiresAt, ...session } = JSON.parse(await sealer().decrypt(value, name));
    return expiresAt > Date.now() ? session : {};
  } catch {
    return {};
  }
}

/** Encrypts the content of a cookie. Scripts cannot read it, and forms of other sites come without it. */
export async function writeSession(session, { name = 'session', lifetimeSeconds = LIFETIME_SECONDS } = {}) {
  const expiresAt = Date.now() + lifetimeSeconds * 1000;
  const value = await sealer().encrypt(JSON.stringify({ ...session, expiresAt }), name);
  const secure = process.env.APP_URL.startsWith('https:');
  (await cookies()).set(name, value, { httpOnly: true, sameSite: 'lax', secure, maxAge: lifetimeSeconds });
}

const sealer = () => aesGcm(process.env.SESSION_KEY);
