import { redirect } from 'next/navigation';
import { oauthApp } from '../../lib/oauth.js';
import { writeSession } from '../../lib/session.js';

export async function GET() {
  const pending = await oauthApp().authorizationUrl({ scopes: ['clients:read', 'me:read'] });
  await writeSession(pending, { name: 'pending', lifetimeSeconds: 600 });
  redirect(pending.url);
}
