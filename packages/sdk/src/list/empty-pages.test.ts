import { expect, test } from 'vitest';
import { ListStalledError } from '../errors/usage-errors.ts';
import { client, refusal } from '../testing/build.ts';
import { listOf, urlsOf } from '../testing/list-of.ts';
import { json } from '../testing/serve.ts';

test('an empty page with has_more does not end the list', async () => {
  const [platform, server] = await listOf(6, (response, _, index) => {
    if (index === 0 || index === 2) {
      json(response, 200, { object: 'list', data: [], has_more: true, url: '/v1/clients' });
    }
  });
  const list = platform.clients.list({ limit: 3 });
  const ids: string[] = [];
  for await (const item of list) ids.push(item.id);
  expect(ids).toHaveLength(6);
  const again = '?limit=3&starting_after=cli_00004';
  expect(urlsOf(server)).toEqual(['?limit=3', '?limit=3', again, again]);
});

test('empty pages between others are no stalled list, however many they are', async () => {
  const [platform, server] = await listOf(30, (response, _, index) => {
    if (index % 2 === 1) json(response, 200, { object: 'list', data: [], has_more: true, url: '/v1/clients' });
  });
  expect(await platform.clients.list({ limit: 1 }).toArray()).toHaveLength(30);
  expect(server.received).toHaveLength(59);
});

test('an empty page with has_more is no end for nextPage', async () => {
  const [platform, server] = await listOf(2, (response, _, index) => {
    if (index === 1) json(response, 200, { object: 'list', data: [], has_more: true, url: '/v1/clients' });
  });
  const first = await platform.clients.list({ limit: 1 });
  const empty = await first.nextPage();
  expect(empty?.data).toEqual([]);
  expect((await empty?.nextPage())?.data).toMatchObject([{ id: 'cli_00001' }]);
  expect(urlsOf(server).at(-1)).toBe('?limit=1&starting_after=cli_00002');
});

test('a short page continues at its next_cursor, and goes back from its first item', async () => {
  const [platform, server] = await listOf(9, (response, _, index) => {
    if (index > 0) return;
    const page = { object: 'list', data: [client('cli_00007')], has_more: true, url: '/v1/clients' };
    json(response, 200, { ...page, next_cursor: 'cli_00004' });
  });
  const page = await platform.clients.list({ limit: 3 });
  expect(page).toMatchObject({ next_cursor: 'cli_00004', endCursor: 'cli_00004', startCursor: 'cli_00007' });
  expect((await page.nextPage())?.data[0]?.id).toBe('cli_00003');
  expect((await page.previousPage())?.data.at(-1)?.id).toBe('cli_00008');
  expect(urlsOf(server)).toEqual(['?limit=3', '?limit=3&starting_after=cli_00004', '?limit=3&ending_before=cli_00007']);
});

test('more empty pages than a stalled list has are followed by their next_cursor, in both directions', async () => {
  const empty = (direction: 1 | -1): Parameters<typeof listOf>[1] => {
    return (response, _, index) => {
      if (index >= 30) return;
      const next_cursor = `cli_${String(50 - direction * index).padStart(5, '0')}`;
      json(response, 200, { object: 'list', data: [], has_more: true, next_cursor, url: '/v1/clients' });
    };
  };
  const [platform, server] = await listOf(99, empty(1));
  expect((await platform.clients.list({ limit: 100 }).toArray())[0]?.id).toBe('cli_00020');
  expect(urlsOf(server).slice(0, 3)).toEqual([
    '?limit=100',
    '?limit=100&starting_after=cli_00050',
    '?limit=100&starting_after=cli_00049',
  ]);
  const [backwards] = await listOf(99, empty(-1));
  expect((await backwards.clients.list({ ending_before: 'cli_00001' }).toArray())[0]?.id).toBe('cli_00080');
});

test('a next_cursor that does not move causes a ListStalledError', async () => {
  const [platform] = await listOf(6, (response) => {
    json(response, 200, { object: 'list', data: [], has_more: true, next_cursor: 'cli_00003', url: '/v1/clients' });
  });
  const error = await refusal(platform.clients.list().toArray(), ListStalledError);
  expect(error.cursor).toBe('cli_00003');
});

test('an endless list of empty pages causes a ListStalledError', async () => {
  const [platform, server] = await listOf(6, (response, _, index) => {
    if (index > 0) json(response, 200, { object: 'list', data: [], has_more: true, url: '/v1/clients' });
  });
  const error = await refusal(platform.clients.list({ limit: 3 }).toArray(), ListStalledError);
  expect(error).toMatchObject({ code: 'LIST_STALLED', cursor: 'cli_00004' });
  expect(server.received.length).toBeLessThan(15);
});

test('a service that ignores the cursor causes a ListStalledError, not a loop', async () => {
  const [platform] = await listOf(6, (response) => {
    json(response, 200, { object: 'list', data: [client('cli_9')], has_more: true, url: '/v1/clients' });
  });
  await refusal(platform.clients.list().toArray(), ListStalledError);
});
