import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestServer, execute, type TestServer } from '../testing/index.ts';
import { ensureSandbox } from './ensure.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

test('a start keeps a valid key of the last start; otherwise it reports which key it replaced', async () => {
  const { db } = server;
  const first = await ensureSandbox(db, null, Date.now());
  expect(first.replacedKey).toBeNull();
  const { tenantId } = first.developer;
  const known = { tenant_id: tenantId, api_key: first.apiKey };
  expect(await ensureSandbox(db, known, Date.now())).toEqual(first);

  const minted = await server.mintKey(tenantId);
  const { apiKey, replacedKey } = await ensureSandbox(db, known, Date.now());
  expect([first.apiKey, minted]).not.toContain(apiKey);
  expect(replacedKey).toContain(minted.slice(-4));
  expect(replacedKey).not.toContain(minted);

  await execute(db, 'DELETE FROM api_keys WHERE tenant_id = :tenantId', { tenantId });
  expect((await ensureSandbox(db, known, Date.now())).replacedKey).toBeNull();
});
