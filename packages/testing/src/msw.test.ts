import { ConnectionError, Platform } from '@plat/sdk';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMockPlatform } from './mock/index.ts';
import { mockHandlers } from './msw.ts';

const mock = createMockPlatform();
const server = setupServer(...mockHandlers(mock));
const plat = new Platform({ apiKey: mock.apiKey, baseUrl: mock.baseUrl, maxRetries: 0 });

beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterEach(() => mock.reset());
afterAll(() => server.close());

test('requests through the built-in transport reach the mock', async () => {
  const { id } = await plat.clients.create({ name: 'Acme' });
  expect(await plat.clients.get(id)).toMatchObject({ slug: 'acme' });
  await expect(plat.clients.create({ name: '' })).rejects.toMatchObject({ code: 'INVALID_BODY', status: 400 });
});

test('an injected cut is a connection error, and nothing else is', async () => {
  mock.fail('me.get', 'CONNECTION_CUT');
  await expect(plat.me.get()).rejects.toBeInstanceOf(ConnectionError);
  expect((await fetch(`${mock.baseUrl}/elsewhere`)).status).toBe(404);
});
