import { AuthorizationError, CallbackError } from '@plat/sdk/oauth';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { oauthApp } from '../../lib/oauth.js';
import { readSession, writeSession } from '../../lib/session.js';

export async function GET(request) {
  const pending = await readSession('pending');
  (await cookies()).delete('pending');
  let grant;
  try {
    grant = await oauthApp().exchange(request.url, pending);
  } catch (error) {
    if (error instanceof AuthorizationError) return new Response('You did not give access.', { status: 403 });
    if (!(error instanceof CallbackError || error.code === 'INVALID_GRANT')) throw error;
    return new Response('This sign-in is over. Start again.', { status: 400 });
  }
  await writeSession({ ...(await readSession()), tenant: grant.key });
  redirect('/clients');
}
