import { createHash } from 'node:crypto';
import { createTestServer, execute, select, type TestServer } from '@plat/server/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { askForLink, signInMail } from '../support/sign-in.ts';
import { visitor } from '../support/visitor.ts';

let database: FreshDatabase;
let server: TestServer;

beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(async () => {
  await server.close();
  await database.drop();
});

/** The hash of releases before the migration: the domain as typed. */
const formerHash = (email: string) => createHash('sha256').update(email.normalize('NFC').toLowerCase()).digest();
const start = () => createTestServer({ databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } });

test('a migrated database keeps its users, developers and domains, and finds them in their canonical form', async () => {
  server = await start();
  const email = 'ada@bücher.example';
  const { tenantId, ownerId, apiKey } = await server.createTenant({ sandbox: true, ownerEmail: email });
  const production = await server.createTenant({ sandbox: false });
  const keys = [apiKey, production.apiKey];
  const domains = ['sandbox.example', 'production.example'];
  const clients: string[] = [];
  for (const [i, key] of keys.entries()) {
    const api = apiOf(server.baseUrl, key);
    const { body } = await api('/v1/clients', { body: { name: 'Shop' } });
    await api(`/v1/clients/${body.id}`, { method: 'PATCH', body: { domain: domains[i] } });
    clients.push(body.id);
  }

  // As the previous release stored it.
  const { db } = server;
  const set = 'UPDATE users SET email_hash = :hash WHERE id = :ownerId';
  await execute(db, set, { hash: formerHash(email), ownerId });
  await execute(db, "UPDATE clients SET domain_space = ''");
  await execute(db, 'CREATE UNIQUE INDEX clients_domain ON clients (custom_domain)');
  await execute(db, `DROP INDEX clients_domain_space${database.url.startsWith('sqlite') ? '' : ' ON clients'}`);
  await execute(db, "DELETE FROM schema_migrations WHERE name LIKE '0020%' OR name LIKE '0021%'");
  await server.close();

  server = await start();
  const browser = visitor(server.baseUrl);
  await askForLink(browser, 'ADA@xn--bcher-kva.example');
  const { link, token } = await signInMail(server, 'ada@xn--bcher-kva.example');
  await browser.get(link);
  expect((await browser.post('/sign-in/link', { token })).status).toBe(303);
  expectRefusal(
    await apiOf(server.baseUrl, apiKey)('/v1/users', { body: { email: 'ada@BÜCHER.example', role: 'viewer' } }),
    'EMAIL_IN_USE',
  );

  const spaces = await select(server.db, 'SELECT id, custom_domain, domain_space FROM clients ORDER BY id');
  expect(spaces).toEqual([
    { id: clients[0], custom_domain: 'sandbox.example', domain_space: tenantId },
    { id: clients[1], custom_domain: 'production.example', domain_space: '' },
  ]);
  const other = apiOf(server.baseUrl, (await server.createTenant({ sandbox: false })).apiKey);
  const { body: shop } = await other('/v1/clients', { body: { name: 'Shop' } });
  const claim = (domain: string) => other(`/v1/clients/${shop.id}`, { method: 'PATCH', body: { domain } });
  expectRefusal(await claim('production.example'), 'DOMAIN_IN_USE');
  expect((await claim('sandbox.example')).status).toBe(200);
});
