import { expect, test, vi } from 'vitest';
import type { ErrorEvent } from '../call/hooks.ts';
import { ApiError } from '../errors/api-error.ts';
import { ListStalledError } from '../errors/usage-errors.ts';
import type { Platform } from '../platform.ts';
import { client, platformFor, refusal } from '../testing/build.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { json, refuse, serve, type TestServer } from '../testing/serve.ts';

/** Creates a list of `count` clients, newest (highest number) first, with pages like those of the service. */
async function listOf(count: number, before?: Parameters<typeof serve>[0]): Promise<[Platform, TestServer]> {
  const ids = Array.from({ length: count }, (_, index) => `cli_${String(count - index).padStart(5, '0')}`);
  const server = await serve((response, request, index) => {
    before?.(response, request, index);
    if (response.headersSent || response.destroyed) return;
    const query = new URL(request.url, 'http://x').searchParams;
    const limit = Number(query.get('limit') ?? 20);
    const after = query.get('starting_after');
    const until = query.get('ending_before');
    const rest =
      after !== null ? ids.filter((id) => id < after) : until !== null ? ids.filter((id) => id > until) : ids;
    const page = until !== null ? rest.slice(-limit) : rest.slice(0, limit);
    const data = page.map((id) => client(id));
    json(response, 200, { object: 'list', data, has_more: rest.length > limit, url: '/v1/clients' });
  });
  return [platformFor(server.url, { maxRetries: 0 }), server];
}

const asked = (server: TestServer) => server.received.map((request) => request.url.replace('/v1/clients', ''));

test('an awaited list returns its first page', async () => {
  const [platform, server] = await listOf(45);
  const page = await platform.clients.list({ status: 'active' });
  expect(page).toMatchObject({ object: 'list', has_more: true, url: '/v1/clients' });
  expect(page.data).toHaveLength(20);
  expect(Object.keys(JSON.parse(JSON.stringify(page)))).toEqual(['object', 'data', 'has_more', 'url']);
  expect(asked(server)).toEqual(['?status=active']);
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
  expect(asked(server).slice(0, 3)).toEqual([
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

test('the next page is requested when half of the current one is read', async () => {
  for (const [limit, half] of [
    [4, 2],
    [5, 3],
  ] as const) {
    const [platform, server] = await listOf(9);
    const items = platform.clients.list({ limit })[Symbol.asyncIterator]();
    for (let read = 1; read < half; read++) await items.next();
    await platform.request('GET', '/v1/me');
    expect(server.received).toHaveLength(2);
    await items.next();
    await expect.poll(() => server.received.length).toBe(3);
  }
});

test('take loads no more than it needs', async () => {
  const [platform, server] = await listOf(300);
  expect(await platform.clients.list().take(5).toArray()).toHaveLength(5);
  const ids: string[] = [];
  for await (const item of platform.clients.list({ limit: 4 }).take(6)) ids.push(item.id);
  expect(ids).toHaveLength(6);
  expect(await platform.clients.list().take(0).toArray()).toEqual([]);
  expect(asked(server)).toEqual(['?limit=5', '?limit=4', '?limit=4&starting_after=cli_00297']);
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

test('the next page is requested when half of the current one is read, and not before', async () => {
  const [platform, server] = await listOf(40);
  const items = platform.clients.list({ limit: 10 })[Symbol.asyncIterator]();
  for (let read = 0; read < 4; read++) await items.next();
  expect(server.received).toHaveLength(1);
  await items.next();
  await expect.poll(() => server.received.length).toBe(2);
  for (let read = 0; read < 5; read++) await items.next();
  expect(server.received).toHaveLength(2);
});

test('readAhead loads nothing that take does not need', async () => {
  const [platform, server] = await listOf(40);
  const items = platform.clients.list().take(10)[Symbol.asyncIterator]();
  for (let read = 0; read < 9; read++) await items.next();
  await platform.me.get().catch(() => {});
  expect(asked(server)).toEqual(['?limit=10', '/v1/me']);
});

test('with readAhead: false a page is requested only when it is needed', async () => {
  const [platform, server] = await listOf(40);
  const pages = platform.clients.list({ limit: 10 }, { readAhead: false }).pages();
  await pages.next();
  await platform.me.get().catch(() => {});
  expect(asked(server)).toEqual(['?limit=10', '/v1/me']);
});

test('leaving a loop cancels the page that is loaded ahead', async () => {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const hanging = await serve((response, _, index) => {
    const data = [client('cli_2'), client('cli_1')];
    if (index === 0) return json(response, 200, { object: 'list', data, has_more: true, url: '/v1/clients' });
    response.on('close', resolve);
    return arrive();
  });
  const codes: string[] = [];
  const hooks = { onError: ({ error }: ErrorEvent) => codes.push(error.code) };
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  for await (const item of platformFor(hanging.url, { hooks, logger }).clients.list()) {
    await arrived;
    expect(item.id).toBe('cli_2');
    break;
  }
  await closed;
  expect(hanging.received).toHaveLength(2);
  // A hook that began a span for the request ends it. Nothing failed, so the log has no error.
  expect(codes).toEqual(['ABORTED']);
  expect(logger.error).not.toHaveBeenCalled();
});

test('return while a page is loading ends the iteration silently', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const hanging = await serve(() => arrive());
  const items = platformFor(hanging.url).clients.list()[Symbol.asyncIterator]();
  const step = items.next();
  await arrived;
  await items.return?.();
  expect(await step).toEqual({ done: true, value: undefined });
});

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
  expect(asked(server)).toEqual(['?limit=3', '?limit=3', again, again]);
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
  expect(asked(server).at(-1)).toBe('?limit=1&starting_after=cli_00002');
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
  expect(asked(server)).toEqual(['?limit=3', '?limit=3&starting_after=cli_00004', '?limit=3&ending_before=cli_00007']);
});

test('a page of newer objects leads back to older ones, by one cursor', async () => {
  const [platform, server] = await listOf(9);
  const newer = await platform.clients.list({ ending_before: 'cli_00004', limit: 2 });
  expect((await newer.nextPage())?.data.map(({ id }) => id)).toEqual(['cli_00004', 'cli_00003']);
  expect(asked(server).at(-1)).toBe('?limit=2&starting_after=cli_00005');
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
  expect(asked(server).slice(0, 3)).toEqual([
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

test('an error follows all items before it, and a new list continues at its cursor', async () => {
  const [platform] = await listOf(9, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const ids: string[] = [];
  const read = async (after?: string) => {
    const cursor = after === undefined ? {} : { starting_after: after };
    for await (const item of platform.clients.list({ limit: 4, ...cursor })) ids.push(item.id);
  };
  const error = await refusal(read(), ApiError);
  expect(ids).toHaveLength(4);
  expect(error.cursor).toBe('cli_00006');
  await read(error.cursor ?? undefined);
  expect(ids).toEqual(ids.toSorted().reverse());
  expect(new Set(ids).size).toBe(9);
});

test('after an error the same iterator can continue', async () => {
  const [platform] = await listOf(5, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const items = platform.clients.list({ limit: 3 })[Symbol.asyncIterator]();
  const ids: string[] = [];
  let failures = 0;
  for (;;) {
    const step = await items.next().catch(() => null);
    if (step === null) failures++;
    else if (step.done) break;
    else ids.push(step.value.id);
  }
  expect({ failures, count: ids.length }).toEqual({ failures: 1, count: 5 });
});

test('parallel calls of next return each item once, in order', async () => {
  const [platform] = await listOf(7);
  const items = platform.clients.list({ limit: 3 })[Symbol.asyncIterator]();
  const steps = await Promise.all(Array.from({ length: 9 }, () => items.next()));
  expect(steps.map((step) => step.value?.id.slice(-1))).toEqual([
    '7',
    '6',
    '5',
    '4',
    '3',
    '2',
    '1',
    undefined,
    undefined,
  ]);
  expect(steps.map((step) => step.done).slice(-3)).toEqual([false, true, true]);
});

test('pages are returned one by one with all their fields', async () => {
  const [platform] = await listOf(5);
  const sizes: number[] = [];
  for await (const page of platform.clients.list({ limit: 2 }).pages()) sizes.push(page.data.length);
  expect(sizes).toEqual([2, 2, 1]);
});

test('parallel calls of next return each page once, in order, also after an error', async () => {
  const [platform] = await listOf(7, (response, _, index) => {
    if (index === 1) refuse(response, 500, 'INTERNAL_ERROR');
  });
  const pages = platform.clients.list({ limit: 3 }).pages();
  const steps = await Promise.allSettled(Array.from({ length: 5 }, () => pages.next()));
  const read = steps.map((step) => (step.status === 'rejected' ? step.reason.code : step.value.value?.data[0]?.id));
  expect(read).toEqual(['cli_00007', 'INTERNAL_ERROR', 'cli_00004', 'cli_00001', undefined]);
});

test('leaving the loop over pages cancels the request ahead, and ends the iterator', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const [platform, server] = await listOf(9, (response, _, index) => {
    if (index === 0) return;
    response.on('close', () => close());
    response.writeHead(200);
  });
  const pages = platform.clients.list({ limit: 3 }).pages();
  for await (const page of pages) {
    expect(page.data).toHaveLength(3);
    await expect.poll(() => server.received.length).toBe(2);
    break;
  }
  await closed;
  expect(await pages.next()).toEqual({ done: true, value: undefined });
  expect(server.received).toHaveLength(2);
});

test('a wrong cursor causes the error of the service', async () => {
  const [platform] = await listOf(5, (response) => refuse(response, 400, 'INVALID_CURSOR'));
  const error = await refusal(platform.clients.list({ starting_after: 'nonsense' }), ApiError);
  expect(error).toMatchObject({ code: 'INVALID_CURSOR', cursor: 'nonsense' });
});

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

test('totalTimeout applies to each page, and a signal to the whole list', async () => {
  const clock = fakeClock();
  const [base] = await listOf(5, () => clock.advance(800));
  const platform = base.withOptions({ clock, totalTimeout: 1_000 });
  expect(await platform.clients.list({ limit: 2 }).toArray()).toHaveLength(5);
  const signal = AbortSignal.abort();
  await expect(platform.clients.list({ limit: 2 }, { signal }).toArray()).rejects.toMatchObject({ code: 'ABORTED' });
});
