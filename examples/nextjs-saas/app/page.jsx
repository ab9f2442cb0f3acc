import { readSession } from '../lib/session.js';

export default async function Home() {
  const { tenant } = await readSession();
  const launch = await readSession('launch');
  return (
    <>
      <h1>Next.js example</h1>
      {launch.user && (
        <p>
          Launched by <code>{launch.user}</code>, {launch.role}.
        </p>
      )}
      {tenant ? <a href="/clients">Clients</a> : <p>No tenant is connected yet.</p>}
      <p>
        {/* A link, not next/link: a prefetch would start an authorization. */}
        <a href="/connect">Connect a tenant</a>
      </p>
    </>
  );
}
