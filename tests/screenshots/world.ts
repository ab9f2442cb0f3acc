import type { TestServer } from '@plat/server/testing';
import { apiOf } from '../support/api.ts';
import { type SignedInDeveloper, signedInDeveloper } from '../support/developer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

/** A sandbox with content for every room, and the paths of its rooms. */
export interface World {
  readonly developer: SignedInDeveloper;
  readonly ownerId: string;
  /** Name of a picture → path of the page. Pages without `/console` are those of the tenant's owner. */
  readonly pages: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export async function createWorld(server: TestServer): Promise<World> {
  const receiver: Receiver = await startReceiver();
  const developer = await signedInDeveloper(server);
  const api = apiOf(server.baseUrl, developer.apiKey);
  const firstOf = async (path: string): Promise<string> => (await api(path)).body.data[0].id;
  receiver.answer((req, res) => {
    res.writeHead(req.url?.includes('broken') ? 500 : 204).end(req.url?.includes('broken') ? 'no database' : '');
  });
  await api('/v1/webhooks/endpoints', {
    body: { url: `${receiver.url}/billing`, events: ['*'], description: 'Billing' },
  });
  const { body: broken } = await api('/v1/webhooks/endpoints', {
    body: { url: `${receiver.url}/broken`, events: ['client.created', 'client.updated'], description: 'Search index' },
  });
  const { body: client } = await api('/v1/clients', { body: { name: 'Café Nordlicht' } });
  for (const [name, address] of [
    ['Café Nordlicht Hafen', 'Am Kaiserkai 12, 20457 Hamburg'],
    ['Café Nordlicht Altona', 'Große Bergstraße 160, 22767 Hamburg'],
  ]) {
    await api(`/v1/clients/${client.id}/locations`, { body: { name, country: 'DE', address } });
  }
  for (let n = 1; n <= 8; n++) await api('/v1/clients', { body: { name: `Harbour Coffee ${n}` } });
  await api(`/v1/clients/${client.id}`, { method: 'PATCH', body: { slug: 'harbour-coffee-1' } });
  const locationId = await firstOf(`/v1/clients/${client.id}/locations`);
  const groupId = await firstOf('/v1/groups');
  await api(`/v1/groups/${groupId}/owners`, { body: { email: 'owner@harbour.example' } });
  const { body: owners } = await api('/v1/users?role=owner');
  const { body: refused } = await api('/v1/requests?outcome=failed');
  const app = await server.createApp({ developerId: developer.id });
  await server.grant({ app, tenantId: developer.tenantId });
  const { body: replay } = await api('/v1/webhooks/replays', { body: { since: '2026-01-01T00:00:00Z' } });
  await server.idle();
  const [userId, roleId] = [await firstOf('/v1/users'), await firstOf('/v1/roles')];
  const own = '/console';
  return {
    developer,
    ownerId: owners.data[0].id,
    pages: {
      overview: own,
      'tenant-overview': '/',
      docs: '/docs/',
      'docs-cli': '/docs/cli/',
      trace: `${own}/trace?id=${client.id}`,
      requests: `${own}/requests/${refused.data[0]?.id ?? ''}`,
      events: `${own}/events/${await firstOf('/v1/webhooks/events?type=client.created')}`,
      webhooks: `${own}/webhooks`,
      endpoint: `${own}/webhooks/${broken.id}`,
      delivery: `${own}/webhooks/deliveries/${await firstOf(`/v1/webhooks/deliveries?endpoint_id=${broken.id}`)}`,
      audit: `${own}/audit/${await firstOf('/v1/audit/events')}`,
      clients: `${own}/clients`,
      client: `${own}/clients/${client.id}`,
      'client-audit': `${own}/clients/${client.id}/audit`,
      'client-edit': `${own}/clients/${client.id}/edit`,
      location: `${own}/clients/${client.id}/locations/${locationId}`,
      group: `${own}/groups/${groupId}`,
      'group-owners': `${own}/groups/${groupId}/owners`,
      users: `${own}/users`,
      user: `${own}/users/${userId}`,
      role: `${own}/roles/${roleId}`,
      'role-new': `${own}/roles/new`,
      settings: `${own}/settings`,
      key: `${own}/key`,
      apps: `${own}/apps`,
      app: `${own}/apps/${app.appId}`,
      consents: `${own}/consents`,
      'requests-live': `${own}/requests`,
      explorer: `${own}/explorer?operation=clients.create`,
      'explorer-response': `${own}/explorer?operation=clients.list&run=1&in.limit=2`,
      'explorer-refused': `${own}/explorer?operation=clients.get&run=1&path.client_id=cli_unknown`,
      sandbox: `${own}/sandbox`,
      'app-installations': `${own}/apps/${app.appId}/installations`,
      invoice: `${own}/billing/invoices/${await firstOf('/v1/billing/invoices')}`,
      plans: `${own}/plans`,
      catalog: `${own}/modules/catalog`,
      replays: `${own}/webhooks/replays`,
      replay: `${own}/webhooks/replays/${replay.id}`,
      'replay-new': `${own}/webhooks/replays/new`,
      logins: `${own}/logins`,
      'live-key': '/key',
      modules: '/modules',
      'gone-request': `${own}/requests/req_01k0z8k3v7e5q2m9t4r6w1x8c0`,
      components: `${own}/_components`,
    },
    close: () => receiver.close(),
  };
}
