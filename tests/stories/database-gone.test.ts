import { createTestServer } from '@plat/server/testing';
import { createConnection } from 'mysql2/promise';
import { expect, inject, test } from 'vitest';
import { apiOf, expectRefusal } from '../support/api.ts';
import { databaseUrl } from '../support/database-server.ts';
import { startMariadb } from '../support/mariadb.ts';

test.runIf(inject('database').kind === 'mariadb')(
  'when the database is gone the server says so with 503, and stays alive',
  async () => {
    // One of its own: the others' stories go on meanwhile.
    const database = await startMariadb();
    const { host, port, user, password } = database;
    const connection = await createConnection({ host, port, user, password });
    await connection.query('CREATE DATABASE gone');
    await connection.end();
    const server = await createTestServer({ databaseUrl: databaseUrl(database, 'gone') });
    const { apiKey } = await server.createTenant();
    const api = apiOf(server.baseUrl, apiKey);
    expect((await api('/readyz')).status).toBe(200);

    await database.kill();
    for (let i = 0; i < 3; i++) {
      const answer = await api('/v1/clients', { body: { name: 'Nowhere' } });
      expectRefusal(answer, 'SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
    expectRefusal(await api('/readyz'), 'SERVICE_UNAVAILABLE');
    expect((await api('/livez')).status).toBe(200);
    await server.close();
  },
);
