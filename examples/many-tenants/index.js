/*
 * A webhook receiver for any number of tenants with one URL. It finds the signing secret of each delivery in its
 * database, by the tenant that the body names, and counts the clients of each tenant exactly once.
 *
 * - PORT (default: 4040) is its port, DATABASE (default: tenants.db) its SQLite file.
 * - `node register.js` creates the endpoints and stores their secrets.
 */
import { createServer } from 'node:http';
import { expressWebhook } from '@plat/webhooks/express';
import { openDatabase } from './database.js';

const database = openDatabase(process.env.DATABASE || 'tenants.db');

const receive = expressWebhook(
  {
    // Only a secret of this tenant can sign its events: a tenant has its own secret, and could forge events of others.
    secrets: ({ tenantId }) => database.secretsOf(tenantId),
    onError: (error) => console.warn(`refused   ${error.message}`),
  },
  async (event) => {
    const isFirst = await database.once(event, () => apply(event));
    console.log(`${isFirst ? 'handled ' : 'repeated'}  ${event.tenant_id}  ${event.type}  ${event.id}`);
  },
);

/** The effect of an event. An exception rolls back, and the platform sends the event again. */
function apply({ type, tenant_id: tenantId }) {
  if (type === 'client.created') database.countClients(tenantId, 1);
  if (type === 'client.deleted') database.countClients(tenantId, -1);
}

const server = createServer((request, response) => {
  if (request.method === 'POST' && request.url === '/webhooks') receive(request, response);
  else response.writeHead(404).end();
});
server.listen(Number(process.env.PORT || 4040), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}/webhooks`);
});
process.on('SIGTERM', () => server.close(() => database.close()));
