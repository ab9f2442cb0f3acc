import { expect, test } from 'vitest';
import { listOf } from '../testing/list-of.ts';

/** Matches the error of an aborted list with its reason and cursor. */
const aborted = (reason: unknown, cursor: string | null) => ({
  name: 'AbortError',
  code: 'ABORTED',
  cause: reason,
  cursor,
});

test('aborting ends the items at once, also between loaded items', async () => {
  const [platform, server] = await listOf(250);
  const controller = new AbortController();
  const reason = new Error('enough');
  const ids: string[] = [];
  const loop = async () => {
    for await (const { id } of platform.clients.list({}, { signal: controller.signal })) {
      ids.push(id);
      if (ids.length === 3) controller.abort(reason);
    }
  };
  await expect(loop()).rejects.toMatchObject(aborted(reason, 'cli_00248'));
  expect(ids).toHaveLength(3);
  expect(server.received).toHaveLength(1);
});

test('a new list continues at the cursor of the aborted one, without a repeated or missing item', async () => {
  const [platform] = await listOf(9);
  for (const from of [{}, { ending_before: 'cli_00000' }]) {
    for (const stop of [1, 2, 3, 4, 5]) {
      const controller = new AbortController();
      const ids: string[] = [];
      let cursor: string | null = null;
      const read = async (query: object, signal?: AbortSignal) => {
        for await (const { id } of platform.clients.list({ limit: 3, ...query }, { signal })) {
          ids.push(id);
          if (ids.length === stop) controller.abort();
        }
      };
      await read(from, controller.signal).catch((error) => {
        cursor = error.cursor;
      });
      expect(ids).toHaveLength(stop);
      await read({ ['ending_before' in from ? 'ending_before' : 'starting_after']: cursor });
      expect(new Set(ids).size).toBe(9);
      expect(ids).toHaveLength(9);
    }
  }
});

test('aborting ends the pages at once, also when the next one is loaded', async () => {
  const [platform, server] = await listOf(9);
  const controller = new AbortController();
  const pages = platform.clients.list({ limit: 3 }, { signal: controller.signal }).pages();
  expect((await pages.next()).value?.data).toHaveLength(3);
  await expect.poll(() => server.received.length).toBe(2);
  await (await fetch(`${server.url}/v1/clients`)).text();
  controller.abort('enough');
  await expect(pages.next()).rejects.toMatchObject(aborted('enough', 'cli_00007'));
  await expect(pages.next()).rejects.toMatchObject(aborted('enough', 'cli_00007'));
  expect(server.received).toHaveLength(3);
});

test('aborting ends take and toArray between pages, and cancels a loading page', async () => {
  const controller = new AbortController();
  let hold = false;
  const [platform] = await listOf(250, (response, _request, index) => {
    if (index === 1) controller.abort('enough');
    if (hold) response.writeHead(200);
  });
  const list = platform.clients.list({}, { signal: controller.signal });
  await expect(list.toArray()).rejects.toMatchObject(aborted('enough', 'cli_00151'));
  await expect(list.take(5).toArray()).rejects.toMatchObject(aborted('enough', null));
  hold = true;
  const late = new AbortController();
  const waiting = platform.clients.list({}, { signal: late.signal })[Symbol.asyncIterator]().next();
  late.abort('late');
  await expect(waiting).rejects.toMatchObject(aborted('late', null));
});

test('an aborted list stays aborted, and an invalid signal is refused when the list is read', async () => {
  const [platform] = await listOf(9);
  const controller = new AbortController();
  const items = platform.clients.list({ limit: 3 }, { signal: controller.signal })[Symbol.asyncIterator]();
  expect((await items.next()).value?.id).toBe('cli_00009');
  controller.abort('enough');
  for (let round = 0; round < 3; round++) {
    await expect(items.next()).rejects.toMatchObject(aborted('enough', 'cli_00009'));
  }
  expect(await items.return?.()).toEqual({ done: true, value: undefined });
  expect(await items.next()).toEqual({ done: true, value: undefined });
  const wrong = Reflect.apply(platform.clients.list, platform.clients, [{}, { signal: { aborted: false } }]);
  await expect(wrong.toArray()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', argument: 'signal' });
});
