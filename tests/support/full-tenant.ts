import { randomBytes } from 'node:crypto';
import { execute, selectOne, type TestServer } from '@plat/server/testing';
import { apiOf } from './api.ts';
import { login } from './developer.ts';
import { createEveryObject, type PopulatedTenant } from './every-operation.ts';
import { operate } from './operator.ts';

/** Creates the sandbox of a developer with rows in every table that has rows of a tenant. */
export async function createFullTenant(server: TestServer, databaseUrl: string): Promise<PopulatedTenant> {
  const tenant = await createEveryObject(server);
  const { tenantId, ownerId, api, ids } = tenant;
  const developer = await selectOne<{ id: string; email: string }>(
    server.db,
    'SELECT id, email FROM developers WHERE tenant_id = :tenantId',
    { tenantId },
  );
  if (!developer) throw new Error('a sandbox has a developer');
  await execute(server.db, 'UPDATE tenants SET captures_bodies = 1 WHERE id = :tenantId', { tenantId });
  await api(`/v1/clients/${ids['other_client_id']}`, { method: 'DELETE' });
  await api('/v1/clients', { body: { name: 'Once' }, headers: { 'idempotency-key': randomBytes(8).toString('hex') } });
  await server.signInAdmin(ownerId);
  await login(server, { ...developer, tenantId, apiKey: '', session: await server.signInDeveloper(developer.id) });
  const app = await server.createApp();
  await server.reviewApp(app.appId, 'verified');
  const { tokens } = await server.grantTokens({ app, tenantId });
  await apiOf(server.baseUrl, tokens.access_token)('/v1/me');
  await Promise.all([
    operate(databaseUrl, 'support', 'grant', tenantId, '--reason', 'Ticket', '--expires-in', '1h'),
    operate(databaseUrl, 'clients', 'limit', tenantId, ids['client_id'] ?? '', '--capabilities', 'orders:read'),
    operate(databaseUrl, 'keys', 'mint', tenantId, '--expires-in', '1h'),
  ]);
  // Writes the request log with its bodies.
  await api('/v1/requests');
  return tenant;
}
