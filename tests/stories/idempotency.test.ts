import { HEADERS } from '@plat/contract';
import { execute, select } from '@plat/server/testing';
import { beforeEach, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let tenantId: string;

beforeEach(async () => {
  const tenant = await story.server.createTenant();
  tenantId = tenant.tenantId;
  api = apiOf(story.server.baseUrl, tenant.apiKey);
});

const post = (key: string, body: unknown, path = '/v1/clients') =>
  api(path, { body, headers: { [HEADERS.idempotencyKey]: key } });
const countClients = async () => (await api('/v1/clients?limit=100')).body.data.length;

test('the same key with the same request returns the first response, and has no second effect', async () => {
  const first = await post('key-1', { name: 'Once' });
  const again = await post('key-1', { name: 'Once' });
  expect(first.status).toBe(201);
  expect(first.headers.get(HEADERS.idempotentReplayed)).toBeNull();
  expect(again).toMatchObject({ status: 201, body: first.body });
  expect(again.headers.get(HEADERS.idempotentReplayed)).toBe('true');
  expect(again.headers.get(HEADERS.requestId)).not.toBe(first.headers.get(HEADERS.requestId));
  expect(await countClients()).toBe(1);
  // The key is for POST only.
  const headers = { [HEADERS.idempotencyKey]: 'key-1' };
  const changed = await api(`/v1/clients/${first.body.id}`, { method: 'PATCH', body: { name: 'Twice' }, headers });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Twice' } });
});

test('the same key with another request is IDEMPOTENCY_KEY_REUSED', async () => {
  await post('key-1', { name: 'One' });
  expectRefusal(await post('key-1', { name: 'Two' }), 'IDEMPOTENCY_KEY_REUSED');
  expectRefusal(await post('key-1', { name: 'One' }, '/v1/groups'), 'IDEMPOTENCY_KEY_REUSED');
  expectRefusal(await post('key-1', { name: 'One' }, '/v1/webhooks/endpoints?x=1'), 'INVALID_REQUEST');
});

test('of twenty requests at once one has the effect; the others get its response or have to wait', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('key-1', { name: 'Race' })));
  const made = answers.filter(({ status }) => status === 201);
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expectRefusal(answer, 'IDEMPOTENCY_KEY_IN_USE');
    expect(answer.headers.get('retry-after')).toBe('1');
  }
  expect(await countClients()).toBe(1);
});

test('a refusal is replayed like any response', async () => {
  await api('/v1/clients', { body: { name: 'A', slug: 'a' } });
  expectRefusal(await post('key-1', { name: 'B', slug: 'a' }), 'SLUG_IN_USE');
  const [client] = (await api('/v1/clients')).body.data;
  await api(`/v1/clients/${client.id}`, { method: 'DELETE' });
  const again = await post('key-1', { name: 'B', slug: 'a' });
  expectRefusal(again, 'SLUG_IN_USE');
  expect(again.headers.get(HEADERS.idempotentReplayed)).toBe('true');
});

test('a server error is not stored: the same key works afterwards', async () => {
  await execute(story.server.db, 'ALTER TABLE audit_events RENAME TO audit_events_away');
  try {
    expectRefusal(await post('key-1', { name: 'Later' }), 'INTERNAL_ERROR');
  } finally {
    await execute(story.server.db, 'ALTER TABLE audit_events_away RENAME TO audit_events');
  }
  expect(await countClients()).toBe(0);
  expect((await post('key-1', { name: 'Later' })).status).toBe(201);
});

test('a key held by a process that was killed can be taken over when its lock has expired', async () => {
  await post('key-1', { name: 'Died' });
  const stuck = (until: number) =>
    execute(story.server.db, 'UPDATE idempotency_keys SET status = NULL, answer = NULL, locked_until = :until', {
      until,
    });
  await stuck(Date.now() + 60_000);
  const refused = await post('key-1', { name: 'Died' });
  expectRefusal(refused, 'IDEMPOTENCY_KEY_IN_USE');
  expect(refused.headers.get('retry-after')).toBe('1');
  await stuck(Date.now() - 1);
  expect((await post('key-1', { name: 'Died' })).status).toBe(201);
});

test('keys of two credentials are independent, and case-sensitive', async () => {
  const other = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const first = await post('Key', { name: 'A' });
  const second = await other('/v1/clients', { body: { name: 'A' }, headers: { [HEADERS.idempotencyKey]: 'Key' } });
  expect(second.body.id).not.toBe(first.body.id);
  expect((await post('key', { name: 'B' })).status).toBe(201);
});

test('a key is stored for 24 hours, and is new again when it has expired', async () => {
  const stored = await post('key-1', { name: 'Old' });
  await post('key-2', { name: 'Old' });
  const { db } = story.server;
  const [key] = await select<{ id: string }>(db, 'SELECT id FROM api_keys WHERE tenant_id = :tenantId', { tenantId });
  const id = key?.id ?? '';
  const ages = 'SELECT expires_at - created_at AS ms FROM idempotency_keys WHERE credential_id = :id';
  const rows = await select<{ ms: number }>(db, ages, { id });
  expect(rows.map(({ ms }) => Number(ms))).toEqual([86_400_000, 86_400_000]);
  await execute(db, 'UPDATE idempotency_keys SET expires_at = 1 WHERE credential_id = :id', { id });
  const repeated = await post('key-1', { name: 'Old' });
  expect(repeated).toMatchObject({ status: 201, body: { name: 'Old' } });
  expect(repeated.body.id).not.toBe(stored.body.id);
  const other = await post('key-2', { name: 'New' });
  expect(other).toMatchObject({ status: 201, body: { name: 'New' } });
  expect((await post('key-2', { name: 'New' })).body.id).toBe(other.body.id);
});

test('keys of one app in two tenants are independent', async () => {
  const app = await story.server.createApp();
  const ids = [];
  for (const tenant of [{ tenantId }, await story.server.createTenant()]) {
    const { tokens } = await story.server.grantTokens({ app, tenantId: tenant.tenantId });
    api = apiOf(story.server.baseUrl, tokens.access_token);
    const { status, body } = await post('key-1', { name: 'A' });
    expect(status).toBe(201);
    ids.push(body.id);
  }
  expect(new Set(ids).size).toBe(2);
});

test.each(['', 'a b', 'ä', 'x'.repeat(256)])('the key %j is INVALID_REQUEST', async (key) => {
  const answer = await api('/v1/clients', {
    body: { name: 'A' },
    headers: { [HEADERS.idempotencyKey]: Buffer.from(key).toString('latin1') },
  });
  expectRefusal(answer, 'INVALID_REQUEST', ['Idempotency-Key']);
});

test('a key has up to 255 characters, and its last one counts', async () => {
  const key = 'x'.repeat(254);
  const [first, second] = [await post(`${key}1`, { name: 'A' }), await post(`${key}2`, { name: 'A' })];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body.id).not.toBe(first.body.id);
});

test('a secret that is shown once is not stored in clear with its response', async () => {
  const { body } = await post('key-1', { url: 'http://127.0.0.1:9/hook', events: ['*'] }, '/v1/webhooks/endpoints');
  const rows = await select<Record<string, unknown>>(
    story.server.db,
    'SELECT i.answer FROM idempotency_keys i JOIN api_keys k ON k.id = i.credential_id WHERE k.tenant_id = :tenantId',
    { tenantId },
  );
  const stored = rows.map((row) => Buffer.from(row['answer'] as Uint8Array).toString('latin1')).join();
  expect(stored.length).toBeGreaterThan(0);
  expect(stored).not.toContain(body.secret);
});
