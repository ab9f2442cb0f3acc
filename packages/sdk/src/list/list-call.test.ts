import { expect, test } from 'vitest';
import { ApiError } from '../errors/api-error.ts';
import { refusal } from '../testing/build.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { listOf, urlsOf } from '../testing/list-of.ts';
import { refuse } from '../testing/serve.ts';

test('an awaited list returns its first page', async () => {
  const [platform, server] = await listOf(45);
  const page = await platform.clients.list({ status: 'active' });
  expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/clients' });
  expect(page.data).toHaveLength(20);
  expect(Object.keys(JSON.parse(JSON.stringify(page)))).toEqual(['object', 'data', 'has_more', 'url']);
  expect(urlsOf(server)).toEqual(['?status=active']);
});

test('an unread list sends nothing, and an awaited list sends one request for any number of awaits', async () => {
  const [platform, server] = await listOf(3);
  const list = platform.clients.list();
  expect(server.received).toHaveLength(0);
  expect(await list).toBe(await list);
  expect((await list.withMeta()).data).toBe(await list);
  expect(server.received).toHaveLength(1);
});

test('pages lead forwards and backwards, and to null at both ends', async () => {
  const [platform] = await listOf(5);
  const first = await platform.clients.list({ limit: 2 });
  const second = await first.nextPage();
  const third = await second?.nextPage();
  expect(third?.data.map((item) => item.id)).toEqual(['cli_00001']);
  expect(await third?.nextPage()).toBeNull();
  const back = await third?.previousPage();
  expect(back?.data).toEqual(second?.data);
  expect((await back?.previousPage())?.data).toEqual(first.data);
  expect(await first.previousPage()).toBeNull();
  expect((await back?.nextPage())?.data).toEqual(third?.data);
});

test('a list can be iterated repeatedly, with pages of a hundred', async () => {
  const [platform, server] = await listOf(250);
  const list = platform.clients.list();
  for (let round = 0; round < 2; round++) {
    const ids: string[] = [];
    for await (const item of list) ids.push(item.id);
    expect(new Set(ids).size).toBe(250);
    expect(ids).toEqual(ids.toSorted().reverse());
  }
  expect(urlsOf(server).slice(0, 3)).toEqual([
    '?limit=100',
    '?limit=100&starting_after=cli_00151',
    '?limit=100&starting_after=cli_00051',
  ]);
  expect(server.received).toHaveLength(6);
});

test('with ending_before the items run from the given one to the newest', async () => {
  const [platform] = await listOf(7);
  const list = platform.clients.list({ ending_before: 'cli_00002', limit: 2 });
  const ids = (await list.toArray()).map((item) => item.id);
  expect(ids).toEqual(['cli_00003', 'cli_00004', 'cli_00005', 'cli_00006', 'cli_00007']);
  const iterated: string[] = [];
  for await (const item of list) iterated.push(item.id);
  expect(iterated).toEqual(ids);
});

test('take loads no more than it needs', async () => {
  const [platform, server] = await listOf(300);
  expect(await platform.clients.list().take(5).toArray()).toHaveLength(5);
  const ids: string[] = [];
  for await (const item of platform.clients.list({ limit: 4 }).take(6)) ids.push(item.id);
  expect(ids).toHaveLength(6);
  expect(await platform.clients.list().take(0).toArray()).toEqual([]);
  expect(urlsOf(server)).toEqual(['?limit=5', '?limit=4', '?limit=4&starting_after=cli_00297']);
});

test('toArray returns all items, or at most max', async () => {
  const [platform, server] = await listOf(250);
  expect(await platform.clients.list().toArray()).toHaveLength(250);
  expect(await platform.clients.list({ limit: 40 }).toArray({ max: 100 })).toHaveLength(100);
  expect(server.received).toHaveLength(6);
});

test.each([-1, 1.5, Number.NaN])('a count of %s is refused', async (count) => {
  const [platform] = await listOf(1);
  expect(() => platform.clients.list().take(count)).toThrow(/count: must be a whole number/);
  await expect(platform.clients.list().toArray({ max: count })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});

test('a page of newer objects leads back to older ones, by one cursor', async () => {
  const [platform, server] = await listOf(9);
  const newer = await platform.clients.list({ ending_before: 'cli_00004', limit: 2 });
  expect((await newer.nextPage())?.data.map(({ id }) => id)).toEqual(['cli_00004', 'cli_00003']);
  expect(urlsOf(server).at(-1)).toBe('?limit=2&starting_after=cli_00005');
});

test('pages are returned one by one with all their fields', async () => {
  const [platform] = await listOf(5);
  const sizes: number[] = [];
  for await (const page of platform.clients.list({ limit: 2 }).pages()) sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 1]);
});

test('a wrong cursor causes the error of the service', async () => {
  const [platform] = await listOf(5, (response) => refuse(response, 400, 'INVALID_CURSOR'));
  const error = await refusal(platform.clients.list({ starting_after: 'nonsense' }), ApiError);
  expect(error).toMatchObject({ code: 'INVALID_CURSOR', cursor: 'nonsense' });
});

test('totalTimeout applies to each page, and a signal to the whole list', async () => {
  const clock = fakeClock();
  const [base] = await listOf(5, () => clock.advance(800));
  const platform = base.withOptions({ clock, totalTimeout: 1_000 });
  expect(await platform.clients.list({ limit: 2 }).toArray()).toHaveLength(5);
  const signal = AbortSignal.abort();
  await expect(platform.clients.list({ limit: 2 }, { signal }).toArray()).rejects.toMatchObject({ code: 'ABORTED' });
});
