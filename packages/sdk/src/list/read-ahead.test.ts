import { expect, test, vi } from 'vitest';
import type { ErrorEvent } from '../call/hooks.ts';
import { client, platformFor } from '../testing/build.ts';
import { listOf, urlsOf } from '../testing/list-of.ts';
import { json, serve } from '../testing/serve.ts';

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
  expect(urlsOf(server)).toEqual(['?limit=10', '/v1/me']);
});

test('with readAhead: false a page is requested only when it is needed', async () => {
  const [platform, server] = await listOf(40);
  const pages = platform.clients.list({ limit: 10 }, { readAhead: false }).pages();
  await pages.next();
  await platform.me.get().catch(() => {});
  expect(urlsOf(server)).toEqual(['?limit=10', '/v1/me']);
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
