import { beforeAll, expect, test } from 'vitest';
import { type Api, apiOf, expectRefusal } from '../support/api.ts';
import { useServer } from '../support/story.ts';

const story = useServer();
let api: Api;
let newestFirst: string[];

beforeAll(async () => {
  const { apiKey } = await story.server.createTenant();
  api = apiOf(story.server.baseUrl, apiKey);
  newestFirst = [];
  for (let i = 0; i < 25; i++) {
    const { body } = await api('/v1/clients', { body: { name: `Client ${i}`, slug: `client-${i}` } });
    newestFirst.unshift(body.id);
  }
});

const ids = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id);

test('a list is newest first, 20 to a page, in its envelope', async () => {
  const { status, body } = await api('/v1/clients');
  expect(status).toBe(200);
  expect(body).toMatchObject({ object: 'list', has_more: true, url: '/v1/clients' });
  expect(Object.keys(body).sort()).toEqual(['data', 'has_more', 'object', 'url']);
  expect(ids(body)).toEqual(newestFirst.slice(0, 20));
});

test('starting_after reads to the end, with any page size', async () => {
  for (const limit of [1, 7, 24, 25, 100]) {
    const seen: string[] = [];
    let query = `limit=${limit}`;
    for (;;) {
      const { body } = await api(`/v1/clients?${query}`);
      seen.push(...ids(body));
      if (!body.has_more) break;
      query = `limit=${limit}&starting_after=${seen.at(-1)}`;
    }
    expect(seen).toEqual(newestFirst);
  }
});

test('ending_before reads back to the beginning, each page in the same order', async () => {
  const last = newestFirst.at(-1);
  const { body: first } = await api(`/v1/clients?limit=10&ending_before=${last}`);
  expect(ids(first)).toEqual(newestFirst.slice(14, 24));
  expect(first.has_more).toBe(true);
  const { body: second } = await api(`/v1/clients?limit=20&ending_before=${ids(first)[0]}`);
  expect(ids(second)).toEqual(newestFirst.slice(0, 14));
  expect(second.has_more).toBe(false);
});

test('a cursor whose row was deleted meanwhile still works', async () => {
  const { body: client } = await api('/v1/clients', { body: { name: 'Short-lived' } });
  await api(`/v1/clients/${client.id}`, { method: 'DELETE' });
  expect(ids((await api(`/v1/clients?starting_after=${client.id}&limit=3`)).body)).toEqual(newestFirst.slice(0, 3));
});

test('a page behind the end is empty', async () => {
  const { body } = await api(`/v1/clients?starting_after=${newestFirst.at(-1)}`);
  expect(body).toMatchObject({ data: [], has_more: false });
});

test('filters narrow the list', async () => {
  await api(`/v1/clients/${newestFirst[3]}`, { method: 'PATCH', body: { status: 'inactive' } });
  expect(ids((await api('/v1/clients?status=inactive')).body)).toEqual([newestFirst[3]]);
  expect(ids((await api('/v1/clients?slug=client-0')).body)).toEqual([newestFirst[24]]);
  expect(ids((await api('/v1/clients?slug=client-0&status=inactive')).body)).toEqual([]);
});

test.each(['nonsense', '', 'evt_01hzzzzzzzzzzzzzzzzzzzzzzz', 'cli_', 'CLI_01HZZZZZZZZZZZZZZZZZZZZZZZ', "cli_' OR 1=1"])(
  'the cursor %j is INVALID_CURSOR, in both directions',
  async (cursor) => {
    expectRefusal(await api(`/v1/clients?starting_after=${encodeURIComponent(cursor)}`), 'INVALID_CURSOR');
    expectRefusal(await api(`/v1/clients?ending_before=${encodeURIComponent(cursor)}`), 'INVALID_CURSOR');
  },
);

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['page=2', 'page'],
  ['status=gone', 'status'],
])('the query %s is INVALID_REQUEST and names the parameter', async (query, field) => {
  expectRefusal(await api(`/v1/clients?${query}`), 'INVALID_REQUEST', [field]);
});

test.each([
  ['limit', 'limit=1&limit=2'],
  ['status', 'status=active&status=active'],
  ['starting_after', 'starting_after=a&starting_after=b'],
])('the message for a repeated %s names the repetition', async (path, query) => {
  const { body } = await api(`/v1/clients?${query}`);
  expect(body).toMatchObject({ code: 'INVALID_REQUEST', errors: [{ path, message: 'is given more than once' }] });
});

test('both cursors at once are INVALID_REQUEST', async () => {
  const query = `starting_after=${newestFirst[0]}&ending_before=${newestFirst[1]}`;
  expectRefusal(await api(`/v1/clients?${query}`), 'INVALID_REQUEST');
});
