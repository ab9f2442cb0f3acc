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

test('a second data folder on one database gets its own sandbox, and no key of another one is kept', async () => {
  const { db } = server;
  const first = await ensureSandbox(db, null, Date.now());
  const second = await ensureSandbox(db, null, Date.now());
  const [mine, other] = [first.developer, second.developer];
  expect(other.tenantId).not.toBe(mine.tenantId);
  expect(other.email).toMatch(/^developer-\w{8}@sandbox\.example$/);
  const mixed = { tenant_id: mine.tenantId, api_key: second.apiKey };
  const { developer, apiKey } = await ensureSandbox(db, mixed, Date.now());
  expect(developer).toEqual(mine);
  expect(apiKey).not.toBe(second.apiKey);
});
