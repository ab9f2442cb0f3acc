import { randomBytes } from 'node:crypto';
import { createTestServer } from '@plat/server/testing';
import { createConnection } from 'mysql2/promise';
import { expect, inject, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { freshDatabase } from '../support/database.ts';

test('a server with the wrong master key is not ready, says so, and is live', async () => {
  const database = await freshDatabase();
  const options = () => ({
    databaseUrl: database.url,
    env: { PLAT_DISPATCH: 'false', PLAT_MASTER_KEY: randomBytes(32).toString('base64') },
  });
  const first = await createTestServer(options());
  const second = await createTestServer(options());
  expect((await apiOf(first.baseUrl)('/readyz')).status).toBe(200);
  expect(await apiOf(second.baseUrl)('/readyz')).toMatchObject({
    status: 503,
    body: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('PLAT_MASTER_KEY does not fit') },
  });
  expect((await apiOf(second.baseUrl)('/livez')).status).toBe(200);
  await first.close();
  await second.close();
  await database.drop();
});

test.runIf(inject('database').kind !== 'sqlite')('a server is not ready while its database is read-only', async () => {
  const database = await freshDatabase();
  const url = new URL(database.url);
  const name = url.pathname.slice(1);
  const root = await createConnection({
    host: url.hostname,
    port: Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  });
  // Accounts with global privileges, such as those of other stories, may write to a read-only server.
  await root.query('CREATE USER ?@? IDENTIFIED BY ?', [name, '127.0.0.1', 'limited']);
  await root.query(`GRANT ALL ON ${name}.* TO ?@?`, [name, '127.0.0.1']);
  url.username = name;
  url.password = 'limited';
  const server = await createTestServer({ databaseUrl: url.href, env: { PLAT_DISPATCH: 'false' } });
  const readiness = async () => {
    const { status, body } = await apiOf(server.baseUrl)('/readyz');
    return [status, body.message];
  };
  try {
    await expect.poll(readiness).toEqual([200, undefined]);
    await root.query('SET GLOBAL read_only = 1');
    const refused = [503, expect.stringMatching(/the database refuses changes \(ER_OPTION_PREVENTS_STATEMENT\)/)];
    await expect.poll(readiness).toEqual(refused);
  } finally {
    await root.query('SET GLOBAL read_only = 0');
  }
  await expect.poll(readiness).toEqual([200, undefined]);
  await server.close();
  await root.query('DROP USER ?@?', [name, '127.0.0.1']);
  await root.end();
  await database.drop();
});
