import { randomBytes } from 'node:crypto';
import http, { Agent, type ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ConnectionError } from '../errors/connection-errors.ts';
import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { PlatformError } from '../errors/platform-error.ts';
import { Platform } from '../platform.ts';
import { API_KEY, client, platformFor, refusal } from '../testing/build.ts';
import { json, serve } from '../testing/serve.ts';
import { fetchTransport } from './fetch.ts';
import { nodeTransport } from './node.ts';
import { MAX_RESPONSE_BYTES, type Transport } from './transport.ts';

const ID = 'cli_01hzzzzzzzzzzzzzzzzzzzzzzz';
const JSON_TYPE = { 'content-type': 'application/json' };

const TRANSPORTS: readonly [string, () => Transport][] = [
  ['node', nodeTransport],
  ['fetch', () => fetchTransport()],
];

for (const [name, transport] of TRANSPORTS) {
  const call = async (answer: (response: ServerResponse) => void) => {
    const server = await serve(answer);
    return platformFor(server.url, { transport: transport(), maxRetries: 0 }).clients.get(ID);
  };

  test.each<[string, (response: ServerResponse) => void]>([
    ['before the headers', (response) => response.destroy()],
    ['by a reset before the headers', (response) => response.socket?.resetAndDestroy()],
    ['after the headers', (response) => response.writeHead(200, JSON_TYPE).flushHeaders() ?? cut(response)],
    ['in the middle of a sized body', (response) => partial(response, { 'content-length': 100 })],
    ['in the middle of a chunked body', (response) => partial(response, {})],
    ['in the middle of a compressed body', (response) => partial(response, { 'content-encoding': 'gzip' })],
    ['for another protocol', (response) => switchProtocols(response, 'Connection: upgrade\r\nUpgrade: h2c\r\n')],
    ['for a protocol without a name', (response) => switchProtocols(response, '')],
  ])(`${name}: a connection that breaks %s causes a ConnectionError`, async (_, answer) => {
    const error = await refusal(call(answer), ConnectionError);
    expect(error).toMatchObject({ code: 'CONNECTION_FAILED', retryable: true, attempts: 1 });
  });

  test(`${name}: a server without HTTP causes a ConnectionError that is not retried`, async () => {
    const answer = (response: ServerResponse) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n\r\n');
    const error = await refusal(call(answer), ConnectionError);
    if (name === 'node') expect(error.retryable).toBe(false);
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['an HTML page', 200, { 'content-type': 'text/html' }, '<h1>Sign in to the Wi-Fi</h1>'],
    ['broken JSON', 200, JSON_TYPE, '{"object":"client","id":'],
    ['an empty body', 200, JSON_TYPE, ''],
    ['JSON that is no object', 200, JSON_TYPE, '"ok"'],
    ['an error without a code', 404, JSON_TYPE, '{"error":"not found"}'],
    ['an empty error', 503, JSON_TYPE, ''],
  ])(`${name}: %s causes an InvalidResponseError`, async (_, status, headers, body) => {
    const error = await refusal(
      call((response) => response.writeHead(status, headers).end(body)),
      InvalidResponseError,
    );
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status, retryable: status === 503, attempts: 1 });
  });

  test(`${name}: a redirect is not followed`, async () => {
    const target = await serve((response) => json(response, 200, client(ID)));
    const answer = (response: ServerResponse) =>
      response.writeHead(307, { location: `${target.url}/v1/clients/${ID}?token=x` }).end();
    const error = await refusal(call(answer), InvalidResponseError);
    expect(error).toMatchObject({ code: 'UNEXPECTED_REDIRECT', status: 307, retryable: false });
    expect(error.message).toBe(
      `HTTP 307 to ${target.url}: redirects are not followed, as the credential would go along; check baseUrl`,
    );
    expect(target.received).toHaveLength(0);
  });

  test.each([true, false])(`${name}: an endless response is cut off (announced size: %s)`, async (announced) => {
    const chunk = Buffer.alloc(1024 * 1024, 32);
    const error = await refusal(
      call((response) => {
        response.writeHead(200, announced ? { 'content-length': MAX_RESPONSE_BYTES * 4 } : {});
        response.on('error', () => {});
        const pour = (left: number) => {
          if (left === 0 || response.destroyed) return;
          response.write(chunk, () => pour(left - 1));
        };
        pour(64);
      }),
      InvalidResponseError,
    );
    expect(error).toMatchObject({ code: 'RESPONSE_TOO_LARGE', status: 200, attempts: 1, retryable: false });
  });

  test(`${name}: a body whose chunks split characters is decoded correctly`, async () => {
    const text = JSON.stringify({ ...client(ID), name: 'Zoë 🏠' });
    const bytes = Buffer.from(text);
    const answer = (response: ServerResponse) => {
      response.writeHead(200, JSON_TYPE);
      const send = (at: number) => {
        if (at >= bytes.length) return response.end();
        response.write(bytes.subarray(at, at + 7), () => send(at + 7));
        return undefined;
      };
      send(0);
    };
    await expect(call(answer)).resolves.toMatchObject({ name: 'Zoë 🏠' });
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['BR', brotliCompressSync],
  ] as const)(`${name}: a response that a proxy compressed as %s is read`, async (encoding, compress) => {
    const body = compress(JSON.stringify({ ...client(ID), name: 'Zoë '.repeat(50_000) }));
    const server = await serve((response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding, 'content-length': body.length }).end(body),
    );
    const platform = platformFor(server.url, { transport: transport() });
    expect((await platform.clients.get(ID)).name).toHaveLength(200_000);
    // The connection can be used again.
    await platform.clients.get(ID);
    expect(server.connections()).toBe(1);
  });

  test(`${name}: a small body that decompresses to more than the limit is refused`, async () => {
    const body = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
    const server = await serve((response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': body.length }).end(body),
    );
    const call = platformFor(server.url, { transport: transport(), maxRetries: 0 }).me.get();
    expect(await refusal(call, InvalidResponseError)).toMatchObject({ code: 'RESPONSE_TOO_LARGE', status: 200 });
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)(
    `${name}: a whole response with a part of a %s body is refused like broken JSON`,
    async (encoding, compress) => {
      const body = compress(JSON.stringify({ ...client(ID), name: randomBytes(20_000).toString('hex') }));
      const answer = (response: ServerResponse) =>
        response.writeHead(200, { ...JSON_TYPE, 'content-encoding': encoding }).end(body.subarray(0, 9_000));
      const error = await refusal(call(answer), InvalidResponseError);
      expect(error).toMatchObject({ code: 'INVALID_RESPONSE', status: 200, retryable: false });
      expect(error.message).toContain(`application/json in ${encoding}: {"object":"client"`);
    },
  );

  test(`${name}: a body without the compression that it claims causes a ConnectionError`, async () => {
    const answer = (response: ServerResponse) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(JSON.stringify(client(ID)));
    expect(await refusal(call(answer), ConnectionError)).toMatchObject({ retryable: true });
  });

  test(`${name}: an empty response with a Content-Encoding is an empty response`, async () => {
    const server = await serve((response, _, index) => {
      const length = index < 2 ? { 'content-length': 0 } : {};
      response.writeHead(index === 0 ? 204 : 404, { 'content-encoding': 'gzip', ...length }).flushHeaders();
      response.end();
    });
    const platform = platformFor(server.url, { transport: transport(), maxRetries: 0 });
    expect(await platform.request('DELETE', '/v1/things/1')).toBe(null);
    for (const _framing of ['sized', 'chunked']) {
      const error = await refusal(platform.clients.get(ID), InvalidResponseError);
      expect(error).toMatchObject({ status: 404, retryable: false });
    }
  });

  test(`${name}: a body that is not compressed as it claims leaves no connection open`, async () => {
    const closed: Promise<void>[] = [];
    const server = await serve((response) => {
      closed.push(new Promise((resolve) => response.on('close', resolve)));
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).write('no gzip');
    });
    const platform = platformFor(server.url, { transport: transport(), maxRetries: 0 });
    await refusal(platform.clients.get(ID), PlatformError);
    await Promise.all(closed);
    expect(closed).toHaveLength(1);
  });

  test(`${name}: the request follows the specification`, async () => {
    const server = await serve((response) => json(response, 201, client(ID)));
    const platform = platformFor(`${server.url}/tenant-api/`, { transport: transport(), userAgent: 'sync/2.1' });
    await platform.clients.create({ name: 'Zoë' });
    const [request] = server.received;
    expect(request).toMatchObject({ method: 'POST', url: '/tenant-api/v1/clients', body: '{"name":"Zoë"}' });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer plat_test_SeCrEtSeCrEtSeCrEtSeCrEt0123',
      accept: 'application/json',
      'content-type': 'application/json',
      'content-length': '15',
      host: server.url.slice('http://'.length),
    });
    expect(request?.headers['user-agent']).toMatch(/^plat-sdk\/\d+\.\d+\.\d+ sync\/2\.1$/);
    expect(request?.headers['accept-encoding'] ?? 'identity').toBe('identity');
    // Some proxies answer a POST without a length with 411.
    await platform.request('POST', '/v1/things');
    expect(server.received[1]?.headers).toMatchObject({ 'content-length': '0' });
  });
}

test('a given fetch sends the requests', async () => {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    return Response.json(client(ID));
  };
  await platformFor('https://api.example.test', { fetch }).clients.get(ID);
  expect(urls).toEqual([`https://api.example.test/v1/clients/${ID}`]);
});

test('a redirect that a browser hides is reported as a redirect', async () => {
  const hidden = { status: 0, headers: new Headers(), body: null, text: async () => '' };
  const call = platformFor('https://api.example.test', { fetch: async () => hidden, maxRetries: 0 }).me.get();
  expect(await refusal(call, InvalidResponseError)).toMatchObject({ code: 'UNEXPECTED_REDIRECT', status: 0 });
});

test('fifty parallel calls share their connections with the next fifty', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const platform = platformFor(server.url);
  for (let round = 0; round < 2; round++) {
    await Promise.all(Array.from({ length: 50 }, () => platform.clients.get(ID)));
  }
  expect(server.connections()).toBe(50);
});

test('a connection that the server will close soon is not used again', async () => {
  const server = await serve((response) => json(response, 200, client(ID), { 'Keep-Alive': 'timeout=1' }));
  const platform = platformFor(server.url);
  await platform.clients.get(ID);
  await platform.clients.get(ID);
  expect(server.connections()).toBe(2);
});

test('headers are found in any case, and repeated ones are joined', async () => {
  const server = await serve((response) => {
    response.appendHeader('X-Team', 'a').appendHeader('X-TEAM', 'b');
    json(response, 200, client(ID), { 'X-REQUEST-ID': 'req_1' });
  });
  const { headers, requestId } = await platformFor(server.url).clients.get(ID).withMeta();
  expect(headers).toMatchObject({ 'x-team': 'a, b', 'x-request-id': 'req_1' });
  expect(requestId).toBe('req_1');
});

test('a connection that was idle for longer than idleTimeout is not used again', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const platform = platformFor(server.url, { transport: nodeTransport({ idleTimeout: 0 }) });
  await platform.clients.get(ID);
  await platform.clients.get(ID);
  expect(server.connections()).toBe(2);
});

test('of two idle connections the one that was used last is used again', async () => {
  const ports: unknown[] = [];
  const held = Promise.withResolvers<void>();
  const server = await serve(async (response, _, index) => {
    ports.push(response.socket?.remotePort);
    if (index === 0) await held.promise;
    json(response, 200, client(ID));
  });
  const platform = platformFor(server.url);
  const calls = [platform.clients.get(ID), platform.clients.get(ID)];
  await Promise.race(calls);
  held.resolve();
  await Promise.all(calls);
  await platform.clients.get(ID);
  expect(ports[2]).toBe(ports[0]);
});

test('close ends idle connections', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const platform = platformFor(server.url);
  await platform.clients.get(ID);
  platform.close();
  await platform.clients.get(ID);
  expect(server.connections()).toBe(2);
});

test('a new connection that the server resets is no idle one that it closed', async () => {
  const { url: origin } = await serve((response) => response.socket?.resetAndDestroy());
  const request = { method: 'GET', origin, path: '/', url: `${origin}/`, headers: {}, body: undefined };
  const call = nodeTransport().send({ ...request, signal: new AbortController().signal, onCancel: () => {} });
  const error = await call.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'ECONNRESET' });
  expect(error).not.toHaveProperty('staleConnection');
});

test('an IPv6 address is looked up without its brackets', async () => {
  const request = vi.spyOn(http, 'request').mockImplementationOnce(() => {
    throw new Error('not sent');
  });
  onTestFinished(() => request.mockRestore());
  await refusal(platformFor('http://[::1]', { maxRetries: 0 }).clients.get(ID), ConnectionError);
  expect(request.mock.lastCall).toMatchObject([{ hostname: '::1', port: '80' }]);
});

test('close ends idle connections, and no request that is running for another client', async () => {
  const transport = nodeTransport();
  const arrivals: (() => void)[] = [];
  const server = await serve((response, _, index) => {
    if (index === 0) json(response, 200, client(ID));
    else arrivals.shift()?.();
    if (index > 0) responses.push(response);
  });
  const responses: ServerResponse[] = [];
  const platform = platformFor(server.url, { transport, maxRetries: 0 });
  await platform.clients.get(ID);
  const arrived = new Promise<void>((resolve) => arrivals.push(resolve));
  const running = platform.clients.get(ID);
  await arrived;
  platformFor(server.url, { transport }).close();
  for (const response of responses) json(response, 200, client(ID));
  expect((await running).id).toBe(ID);
});

test('transports that share an agent add nothing to it, however many there are', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const listeners = () => agent.eventNames().map((name) => [name, agent.listenerCount(name)]);
  const before = listeners();
  for (let i = 0; i < 3; i++) {
    await platformFor(server.url, { transport: nodeTransport({ agent: () => agent }) }).clients.get(ID);
  }
  expect(server.connections()).toBe(1);
  expect(listeners()).toEqual(before);
});

test('clients without a transport share their connections', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  for (const apiKey of [API_KEY, `${API_KEY.slice(0, -1)}4`]) {
    await new Platform({ apiKey, baseUrl: server.url }).clients.get(ID);
  }
  expect(server.connections()).toBe(1);
});

test('each request of a shared transport is sent to its own host', async () => {
  const transport = nodeTransport();
  const servers = await Promise.all([1, 2].map(() => serve((response) => json(response, 200, client(ID)))));
  for (const { url } of servers) await platformFor(url, { transport }).clients.get(ID);
  expect(servers.map(({ received }) => received.map(({ headers }) => `http://${headers.host}`))).toEqual(
    servers.map(({ url }) => [url]),
  );
});

test('at most maxSockets connections are opened', async () => {
  const server = await serve((response) => json(response, 200, client(ID)));
  const platform = platformFor(server.url, { transport: nodeTransport({ maxSockets: 3 }) });
  await Promise.all(Array.from({ length: 20 }, () => platform.clients.get(ID)));
  expect(server.connections()).toBe(3);
});

function partial(response: ServerResponse, headers: Record<string, number | string>): void {
  response.writeHead(200, { ...JSON_TYPE, ...headers });
  const text = '{"object":';
  response.write('content-encoding' in headers ? gzipSync(text).subarray(0, -8) : text, () => cut(response));
}

function switchProtocols(response: ServerResponse, headers: string): void {
  response.socket?.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`);
}

function cut(response: ServerResponse): void {
  setImmediate(() => response.destroy());
}
