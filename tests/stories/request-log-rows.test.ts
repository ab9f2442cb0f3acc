import { newId, selectOne } from '@plat/server/testing';
import { expect, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { insertLoggedRequests } from '../support/logged-requests.ts';
import { useServer } from '../support/story.ts';

const SANDBOX_ROWS = 100;
const ROWS = 300;
const story = useServer({
  env: {
    PLAT_DISPATCH: 'false',
    PLAT_REQUEST_LOG: 'all',
    PLAT_REQUEST_LOG_SANDBOX_ROWS: String(SANDBOX_ROWS),
    PLAT_REQUEST_LOG_ROWS: String(ROWS),
  },
});

async function rowsOf(tenantId: string): Promise<{ count: number; oldest: string }> {
  const sql = 'SELECT COUNT(*) AS count, MIN(id) AS oldest FROM requests WHERE tenant_id = :tenantId';
  const row = await selectOne<{ count: number; oldest: string }>(story.server.db, sql, { tenantId });
  if (!row) throw new Error('an aggregate has a row');
  return { count: Number(row.count), oldest: row.oldest };
}

test.each([
  ['a sandbox', true, SANDBOX_ROWS],
  ['another tenant', false, ROWS],
])('the log of %s keeps its latest rows while requests continue, without housekeeping', async (_who, sandbox, max) => {
  const { apiKey, tenantId } = await story.server.createTenant({ sandbox });
  const bystander = await story.server.createTenant({ sandbox });
  const api = apiOf(story.server.baseUrl, apiKey);
  await apiOf(story.server.baseUrl, bystander.apiKey)('/v1/me');
  const ids: string[] = [];
  for (let sent = 0; sent < 3 * max; sent += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => api('/v1/me')));
    ids.push(...answers.map(({ headers }) => headers.get('x-request-id') ?? ''));
    await api('/v1/requests?limit=1');
  }
  // A tenth more: rows are not trimmed after each request.
  await expect.poll(async () => (await rowsOf(tenantId)).count).toBeLessThanOrEqual(max * 1.1);
  const { count, oldest } = await rowsOf(tenantId);
  expect(count).toBeGreaterThanOrEqual(max * 0.9);
  expect(ids.toSorted().slice(-count)[0]).toBe(oldest);
  expect((await rowsOf(bystander.tenantId)).count).toBe(1);
});

test('housekeeping removes the oldest rows beyond the row limit of a tenant', async () => {
  const sandbox = await story.server.createTenant();
  const production = await story.server.createTenant({ sandbox: false });
  const small = await story.server.createTenant();
  const from = Date.now() - 3_600_000;
  const credentials = [newId('api_key')];
  const ids = await insertLoggedRequests(story.server, { ...sandbox, count: 1_100, credentials, from });
  await insertLoggedRequests(story.server, { ...production, count: 1_100, credentials, from });
  await insertLoggedRequests(story.server, { ...small, count: SANDBOX_ROWS, credentials, from });
  // An app keeps as many refusals as a sandbox keeps requests.
  const app = { tenantId: newId('app') };
  await insertLoggedRequests(story.server, { ...app, count: SANDBOX_ROWS + 1, credentials, from });
  const counts = await story.server.housekeeping();
  expect(counts?.['requests']).toBeGreaterThanOrEqual(2 * 1_100 - SANDBOX_ROWS - ROWS);
  expect(await rowsOf(sandbox.tenantId)).toEqual({ count: SANDBOX_ROWS, oldest: ids.toSorted()[1_100 - SANDBOX_ROWS] });
  expect((await rowsOf(production.tenantId)).count).toBe(ROWS);
  for (const { tenantId } of [small, app]) expect((await rowsOf(tenantId)).count).toBe(SANDBOX_ROWS);
});
