import { randomBytes } from 'node:crypto';
import { createTestServer } from '@plat/server/testing';
import { expect, test } from 'vitest';
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
    body: { code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('PLAT_MASTER_KEY cannot decrypt') },
  });
  expect((await apiOf(second.baseUrl)('/livez')).status).toBe(200);
  await first.close();
  await second.close();
  await database.drop();
});
