import { createTestServer } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';
import { startServerProcess } from '../support/server-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SERVERS = 5;

test(`${SERVERS} servers that start at once on a new database all serve, with one catalog and one signing key`, async () => {
  const database = await freshDatabase();
  const dataDir = tempFolder('first').path;
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, () => startServerProcess({ DATABASE_URL: database.url }, dataDir)),
  );
  const seen = await Promise.all(
    servers.map(async ({ baseUrl }) => (await apiOf(baseUrl, '')('/.well-known/jwks.json')).body.keys),
  );
  expect(seen[0]).toHaveLength(1);
  for (const keys of seen) expect(keys).toEqual(seen[0]);
  await Promise.all(servers.map((server) => server.stop()));
  await database.drop();
});

test('sandboxes that are created at once in an empty platform share one catalog', async () => {
  for (let round = 0; round < 3; round++) {
    const database = await freshDatabase();
    const options = { databaseUrl: database.url, env: { PLAT_DISPATCH: 'false' } };
    const servers = [await createTestServer(options), await createTestServer(options)];
    const made = await Promise.all([...servers, ...servers].map((server) => server.createSandbox()));
    const slugs = await Promise.all(
      made.map(async ({ apiKey }) => {
        const { body } = await apiOf(servers[0]?.baseUrl ?? '', apiKey)('/v1/modules/catalog');
        return body.data.map(({ slug }: { slug: string }) => slug).sort();
      }),
    );
    expect(slugs).toEqual(made.map(() => ['analytics', 'loyalty', 'orders']));
    for (const server of servers) await server.close();
    await database.drop();
  }
});
