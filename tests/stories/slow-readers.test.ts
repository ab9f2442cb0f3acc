import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { LIMITS } from '@plat/contract';
import { expect, test } from 'vitest';
import { useServer } from '../support/story.ts';

/* Clients that send requests and do not read the responses. */

/** On a busy machine, this process can pause for a second. */
const WRITE_TIMEOUT_SECONDS = 4;
const story = useServer({
  env: { PLAT_WRITE_TIMEOUT_SECONDS: String(WRITE_TIMEOUT_SECONDS), PLAT_DISPATCH: 'false' },
});

function open(): Promise<Socket> {
  const { hostname, port } = new URL(story.server.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  return once(socket, 'connect').then(() => socket);
}

const request = (path: string, ...headers: readonly string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: plat.test', ...headers].join('\r\n')}\r\n\r\n`;

/** 1 MB, uncompressed: ten responses are larger than the buffers of both ends of a connection. */
const LARGE = '/docs/search-index.json';
const COUNT = LIMITS.connection.pipelined;

/** Not `once` of node:events, which fails for a connection that is reset. */
const isClosed = (socket: Socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()));

test('a connection whose client reads nothing is closed', async () => {
  const socket = await open();
  socket.pause();
  socket.write(request(LARGE).repeat(COUNT));
  // The client reads nothing, so only a write detects that the other end has closed.
  const closed = isClosed(socket);
  const timer = setInterval(() => socket.write(request('/livez')), 20);
  await closed;
  clearInterval(timer);
});

test('a client that reads slowly but steadily gets the whole response', async () => {
  const socket = await open();
  socket.write(request(LARGE).repeat(COUNT - 1) + request(LARGE, 'Connection: close'));
  let bytes = 0;
  for await (const chunk of socket) {
    bytes += chunk.length;
    await wait(5);
  }
  const { headers } = await fetch(story.server.baseUrl + LARGE, { headers: { 'accept-encoding': 'identity' } });
  expect(bytes).toBeGreaterThan(COUNT * Number(headers.get('content-length')));
});

test('a handler may run for longer than the deadline of a response', async () => {
  const { apiKey } = await story.server.createTenant();
  story.server.faults.add({ operation: 'me.get', kind: 'delay', ms: WRITE_TIMEOUT_SECONDS * 1_250 });
  const headers = { authorization: `Bearer ${apiKey}` };
  expect((await fetch(`${story.server.baseUrl}/v1/me`, { headers })).status).toBe(200);
  expect(story.server.faults.list()).toEqual([]);
});

test('a connection has a limited number of requests in progress', async () => {
  const socket = await open();
  const pipelined = LIMITS.connection.pipelined + 20;
  socket.write(request('/readyz').repeat(pipelined));
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) text += chunk;
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses).toEqual([...Array.from({ length: LIMITS.connection.pipelined }, () => '200'), '429']);
  expect(text).toContain('"code":"RATE_LIMITED"');
  for (const name of ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
    expect(text).toMatch(new RegExp(`\r\n${name}: \\d+\r\n`, 'i'));
  }
  expect(text).toMatch(/Connection: close/);
});

test('a connection is closed after its maximum number of requests', async () => {
  const socket = await open();
  let answers = 0;
  let rest = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk;
    const parts = rest.split('{"status":"live"}');
    rest = parts.pop() ?? '';
    answers += parts.length;
    for (const _ of parts) socket.write(request('/livez'));
  });
  socket.write(request('/livez').repeat(5));
  await isClosed(socket);
  expect(answers).toBe(LIMITS.connection.requests);
});
