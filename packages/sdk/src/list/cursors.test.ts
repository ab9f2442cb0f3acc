import { expect, test } from 'vitest';
import { ListStalledError } from '../errors/usage-errors.ts';
import type { Platform } from '../platform.ts';
import { platformFor, refusal } from '../testing/build.ts';
import { json, serve, type TestServer } from '../testing/serve.ts';

/** Lists whose items have no id, with the field that replaces it. */
const LISTS = [
  ['members', 'client_id', (platform: Platform, query?: object) => platform.groups.members.list('grp_1', query)],
  ['owners', 'user_id', (platform: Platform, query?: object) => platform.groups.owners.list('grp_1', query)],
] as const;

/** Creates a list of nine items, highest number first, with pages like those of the service. */
async function nineBy(field: string): Promise<[Platform, TestServer]> {
  const ids = Array.from({ length: 9 }, (_, index) => `x_${9 - index}`);
  const server = await serve((response, request) => {
    const query = new URL(request.url, 'http://x').searchParams;
    const [after, until] = [query.get('starting_after'), query.get('ending_before')];
    const rest = ids.filter((id) => (after === null || id < after) && (until === null || id > until));
    const limit = Number(query.get('limit') ?? 20);
    const page = until !== null ? rest.slice(-limit) : rest.slice(0, limit);
    const data = page.map((id) => ({ group_id: 'grp_1', [field]: id }));
    json(response, 200, { object: 'list', data, has_more: rest.length > limit, url: '/v1/groups/grp_1/x' });
  });
  return [platformFor(server.url, { maxRetries: 0 }), server];
}

const read = (items: readonly unknown[] | undefined, field: string) =>
  items?.map((item) => Reflect.get(Object(item), field));

test.each(LISTS)('the items of %s are paged by their %s, forwards and backwards', async (name, field, list) => {
  const [platform, server] = await nineBy(field);
  const all: unknown[] = [];
  for await (const item of list(platform, { limit: 4 })) all.push(item);
  expect(read(all, field)).toEqual(['x_9', 'x_8', 'x_7', 'x_6', 'x_5', 'x_4', 'x_3', 'x_2', 'x_1']);
  expect(server.received.map(({ url }) => url)).toEqual([
    `/v1/groups/grp_1/${name}?limit=4`,
    `/v1/groups/grp_1/${name}?limit=4&starting_after=x_6`,
    `/v1/groups/grp_1/${name}?limit=4&starting_after=x_2`,
  ]);
  expect(read(await list(platform, { ending_before: 'x_2', limit: 3 }).toArray(), field)).toEqual([
    'x_3',
    'x_4',
    'x_5',
    'x_6',
    'x_7',
    'x_8',
    'x_9',
  ]);
});

test.each(LISTS)(
  'the pages of %s have their %s as cursors, and lead forwards and backwards',
  async (_, field, list) => {
    const [platform] = await nineBy(field);
    const first = await list(platform, { limit: 4 });
    expect([first.startCursor, first.endCursor]).toEqual(['x_9', 'x_6']);
    const second = await first.nextPage();
    expect([second?.startCursor, second?.endCursor]).toEqual(['x_5', 'x_2']);
    expect((await second?.previousPage())?.data).toEqual(first.data);
    expect(Object.keys(JSON.parse(JSON.stringify(first)))).toEqual(['object', 'data', 'has_more', 'url']);
  },
);

test.each(LISTS)('a repeated page of %s causes a ListStalledError', async (_, field, list) => {
  const data = [{ group_id: 'grp_1', [field]: 'x_1' }];
  const server = await serve((response) => json(response, 200, { object: 'list', data, has_more: true, url: '/' }));
  const error = await refusal(list(platformFor(server.url)).toArray(), ListStalledError);
  expect(error.cursor).toBe('x_1');
  expect(server.received).toHaveLength(2);
});

test('an item without its cursor field ends the list as stalled, and the first page is not requested again', async () => {
  const data = [{ object: 'group_member', id: 'x_1' }];
  const server = await serve((response) => json(response, 200, { object: 'list', data, has_more: true, url: '/' }));
  await refusal(platformFor(server.url).groups.members.list('grp_1').toArray(), ListStalledError);
  expect(server.received).toHaveLength(1);
});

test('an empty page has no cursors and no neighbours', async () => {
  const server = await serve((response) =>
    json(response, 200, { object: 'list', data: [], has_more: false, url: '/v1/clients' }),
  );
  const page = await platformFor(server.url).clients.list();
  expect(page).toMatchObject({ startCursor: null, endCursor: null });
  expect([await page.nextPage(), await page.previousPage()]).toEqual([null, null]);
  expect(server.received).toHaveLength(1);
});
