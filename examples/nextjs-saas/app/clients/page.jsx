import { ReauthorizationRequired } from '@plat/sdk/oauth';
import { redirect } from 'next/navigation';
import { oauthApp } from '../../lib/oauth.js';
import { readSession } from '../../lib/session.js';

export default async function Clients() {
  const { tenant } = await readSession();
  if (!tenant) redirect('/');
  const clients = await clientsOf(tenant);
  return (
    <>
      <h1>Clients</h1>
      <ul>
        {clients.map(({ id, name }) => (
          <li key={id}>
            {name} <code>{id}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

async function clientsOf(tenant) {
  try {
    return await oauthApp().actingFor(tenant).clients.list().take(100).toArray();
  } catch (error) {
    if (!(error instanceof ReauthorizationRequired)) throw error;
  }
  redirect('/connect');
}
