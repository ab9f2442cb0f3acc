import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { setImmediate as connectionsIdle } from 'node:timers/promises';
import { createVerifier } from '@plat/webhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { createAddressGuard } from './address-guard.ts';
import { type Attempt, createDeliverer, type DelivererOptions } from './deliver.ts';
import type { Resolve } from './guarded-connect.ts';

const SECRET = `whsec_${'a'.repeat(40)}`;
const PAYLOAD = JSON.stringify({
  id: 'evt_0000000000000000000000000a',
  object: 'event',
  type: 'client.created',
  created: '2026-01-02T03:04:05.678Z',
  tenant_id: 'tnt_0000000000000000000000000a',
  data: { object: 'client', name: 'Zoë 🚀' },
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe('a delivery', () => {
  it('is a verifiable POST of the stored payload with the headers of the specification', async () => {
    const seen: { request: IncomingMessage; body: Buffer }[] = [];
    const url = await httpServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push({ request, body: Buffer.concat(chunks) });
        response.writeHead(202).end('thank you');
      });
    });
    const at = Date.parse('2026-01-02T03:04:06Z');
    const answer = await deliver({ url: `${url}/in/box?a=b`, at });
    expect(answer).toMatchObject({ status: 202, body: 'thank you', errorClass: null });

    const [first] = seen;
    if (!first) throw new Error('nothing arrived');
    const { request, body } = first;
    expect(request.method).toBe('POST');
    expect(request.url).toBe('/in/box?a=b');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(PAYLOAD)),
      'x-platform-event': 'client.created',
      'x-platform-event-id': 'evt_0000000000000000000000000a',
      'x-platform-delivery-id': 'del_0000000000000000000000000a',
    });
    expect(request.headers['user-agent']).toMatch(/\S/);
    expect(body.toString()).toBe(PAYLOAD);
    const verifier = createVerifier({ secrets: SECRET, now: () => at });
    expect(verifier.verify(body, request.headers).id).toBe('evt_0000000000000000000000000a');
  });

  it('is signed with each of the secrets', async () => {
    let header: unknown;
    const url = await httpServer((request, response) => {
      header = request.headers['x-platform-signature'];
      request.resume().on('end', () => response.end());
    });
    const { signature } = await deliver({ url, secrets: [SECRET, `${SECRET}old`], at: 1_700_000_000_999 });
    expect(header).toMatch(/^t=1700000000,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(signature).toBe(header);
  });

  it('does not follow a redirect', async () => {
    let visited = false;
    const elsewhere = await httpServer((_request, response) => {
      visited = true;
      response.end();
    });
    const url = await httpServer((_request, response) => {
      response.writeHead(307, { location: elsewhere }).end();
    });
    expect(await deliver({ url })).toMatchObject({ status: 307, errorClass: 'redirect' });
    expect(visited).toBe(false);
  });

  it('fails for any status but 2xx, and keeps the Retry-After of the response', async () => {
    const url = await httpServer((_request, response) => response.writeHead(503, { 'retry-after': '120' }).end('busy'));
    const answer = await deliver({ url });
    expect(answer).toMatchObject({ status: 503, body: 'busy', errorClass: 'http_status', retryAfter: '120' });
  });

  it.each([
    [299, null],
    [300, 'redirect'],
    [399, 'redirect'],
    [400, 'http_status'],
  ])('with the status %d has the error class %s', async (status, errorClass) => {
    const url = await httpServer((_request, response) => response.writeHead(status).end());
    expect(await deliver({ url })).toMatchObject({ status, errorClass });
  });

  it('waits for the final response after informational ones', async () => {
    const url = await httpServer((request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      request.resume().on('end', () => response.writeHead(200).end());
    });
    expect(await deliver({ url })).toMatchObject({ status: 200, errorClass: null });
  });
});

describe('the response', () => {
  it('is stored up to its first KiB, as text without NUL or incomplete characters', async () => {
    const body = Buffer.concat([
      Buffer.from([0x61, 0, 0xff]),
      Buffer.from('b'.repeat(1019)),
      Buffer.from('€'.repeat(9)),
    ]);
    const url = await httpServer((_request, response) => response.end(body));
    expect((await deliver({ url })).body).toBe(`a\uFFFD\uFFFD${'b'.repeat(1019)}`);
  });

  it('is read up to 16 KiB; then the connection is closed and the status counts', async () => {
    const dropped = Promise.withResolvers<void>();
    const url = await httpServer((_request, response) => {
      response.on('close', () => dropped.resolve());
      const more = (): void => {
        while (response.write(Buffer.alloc(8192, 'x')));
      };
      response.on('drain', more);
      more();
    });
    expect(await deliver({ url })).toMatchObject({ status: 200, body: 'x'.repeat(1024), errorClass: null });
    await dropped.promise;
  });

  it('of exactly 16 KiB is read whole', async () => {
    const url = await httpServer((_request, response) => response.end(Buffer.alloc(16_384, 'x')));
    expect(await deliver({ url })).toMatchObject({ status: 200, errorClass: null });
  });
});

describe('the record of an attempt', () => {
  it('has the duration of each phase; over an open connection only that of the response', async () => {
    const url = await httpServer((request, response) => request.resume().on('end', () => response.end()));
    const { port } = new URL(url);
    const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const deliverer = makeDeliverer({ resolve });
    const [some, none] = [expect.any(Number), null];
    const named = attempt({ url: `http://there.example:${port}/` });
    expect(await deliverer.deliver(named)).toMatchObject({
      remoteAddress: '127.0.0.1',
      timings: { dnsMs: some, connectMs: some, tlsMs: none, firstByteMs: some },
    });
    await connectionsIdle();
    expect(await deliverer.deliver(named)).toMatchObject({
      remoteAddress: '127.0.0.1',
      timings: { dnsMs: none, connectMs: none, tlsMs: none, firstByteMs: some },
    });
    // An address needs no look-up.
    expect((await deliverer.deliver(attempt({ url }))).timings).toMatchObject({ dnsMs: none, connectMs: some });
  });

  it('belongs to its own connection when many open at the same time', async () => {
    const waiting: (() => void)[] = [];
    const url = await httpServer((request, response) => {
      waiting.push(() => response.end());
      request.resume();
      if (waiting.length === 8) for (const answer of waiting.splice(0)) answer();
    });
    const deliverer = makeDeliverer();
    const eight = () => Promise.all(Array.from({ length: 8 }, () => deliverer.deliver(attempt({ url }))));
    expect((await eight()).map(({ timings }) => timings.connectMs === null)).toEqual(Array(8).fill(false));
    await connectionsIdle();
    expect((await eight()).map(({ timings }) => timings.connectMs === null)).toEqual(Array(8).fill(true));
  });

  it('has the first KiB of the headers, in order and unchanged', async () => {
    const url = await tcpServer((socket) => {
      const headers = `X-One: ${'1'.repeat(500)}\r\nset-cookie: a=b\r\nSet-Cookie: c=d\r\nX-Two: ${'2'.repeat(600)}\r\nX-Three: 3\r\n`;
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\n${headers}Content-Length: 0\r\n\r\n`));
    });
    const { headers } = await deliver({ url });
    expect(headers).toEqual([
      { name: 'X-One', value: '1'.repeat(500) },
      { name: 'set-cookie', value: 'a=b' },
      { name: 'Set-Cookie', value: 'c=d' },
      { name: 'X-Two', value: '2'.repeat(1024 - 5 - 500 - 13 - 13 - 5) },
    ]);
  });

  it('has nothing of informational responses', async () => {
    const url = await httpServer((request, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      request.resume().on('end', () => response.end());
    });
    expect(JSON.stringify((await deliver({ url })).headers)).not.toContain('preload');
  });
});

describe('the deadline', () => {
  const TIMEOUT = { errorClass: 'timeout' };

  it('ends a delivery without a response', async () => {
    const url = await tcpServer((socket) => socket.resume());
    expect(await deliver({ url }, { deadlineMs: 50 })).toMatchObject({ ...TIMEOUT, status: null, body: null });
  });

  it('ends a delivery whose response headers arrive slowly', async () => {
    const url = await tcpServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      drip(socket, 'X-A: b\r\n');
    });
    expect(await deliver({ url }, { deadlineMs: 100 })).toMatchObject({ ...TIMEOUT, status: null });
  });

  it('ends a delivery whose response body arrives slowly, and closes the connection', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await tcpServer((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      drip(socket, '1\r\nx\r\n');
    });
    expect(await deliver({ url }, { deadlineMs: 100 })).toMatchObject({ ...TIMEOUT, status: 200 });
    await closed.promise;
  });

  it('covers name resolution; nothing is sent when the name resolves later', async () => {
    const resolved = Promise.withResolvers<Awaited<ReturnType<Resolve>>>();
    const requests: string[] = [];
    const url = await httpServer((request, response) => {
      requests.push(String(request.url));
      response.end();
    });
    const { port } = new URL(url);
    const deliverer = makeDeliverer({ deadlineMs: 500, resolve: () => resolved.promise });
    const late = `http://late.example:${port}`;
    expect(await deliverer.deliver(attempt({ url: `${late}/1` }))).toMatchObject(TIMEOUT);
    resolved.resolve([{ address: '127.0.0.1', family: 4 }]);
    expect(await deliverer.deliver(attempt({ url: `${late}/2` }))).toMatchObject({ status: 200 });
    expect(requests).toEqual(['/2']);
  });

  it('covers a TLS handshake', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await tcpServer((socket) => socket.resume().on('close', () => closed.resolve()));
    expect(await deliver({ url: url.replace('http', 'https') }, { deadlineMs: 50 })).toMatchObject(TIMEOUT);
    await closed.promise;
  });
});

describe('a failure', () => {
  it('is classified as refused', async () => {
    const server = createTcpServer();
    const url = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await deliver({ url })).toMatchObject({ status: null, errorClass: 'refused' });
  });

  it('is classified as dns', async () => {
    const resolve: Resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    expect((await deliver({ url: 'http://nowhere.example/' }, { resolve })).errorClass).toBe('dns');
  });

  it.each([
    ['before the headers', ''],
    ['within the body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'],
  ])('is classified as reset when the connection ends %s', async (_when, answer) => {
    const url = await tcpServer((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    expect((await deliver({ url })).errorClass).toBe('reset');
  });

  it('is classified as protocol when the response is not HTTP', async () => {
    const url = await tcpServer((socket) => {
      socket.once('data', () => socket.end('220 mail.example ESMTP\r\n'));
    });
    expect((await deliver({ url })).errorClass).toBe('protocol');
  });

  it('is classified as tls when the receiver does not use TLS', async () => {
    const url = await httpServer((_request, response) => response.end());
    expect((await deliver({ url: url.replace('http', 'https') })).errorClass).toBe('tls');
  });
});

describe('a forbidden target', () => {
  const BLOCKED = { status: null, errorClass: 'blocked_address' };

  it.each(['127.0.0.1', '2130706433', '0x7f.1', '0177.1', '127.1', '[::ffff:127.0.0.1]'])(
    'receives no packet when the URL contains %s',
    async (host) => {
      const { port, connections } = await canary();
      const guard = createAddressGuard([]);
      for (const scheme of ['http', 'https']) {
        expect(await deliver({ url: `${scheme}://${host}:${port}/` }, { guard })).toMatchObject(BLOCKED);
      }
      expect(connections()).toBe(0);
    },
  );

  it('receives no packet when its name resolves to an inner address, with or without TLS', async () => {
    const { port, connections } = await canary();
    const guard = createAddressGuard([]);
    const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    for (const scheme of ['http', 'https']) {
      expect(await deliver({ url: `${scheme}://in.example:${port}/` }, { guard, resolve })).toMatchObject(BLOCKED);
    }
    expect(connections()).toBe(0);
  });

  it('is resolved once, so that a name cannot change between check and connection', async () => {
    const { port, connections } = await canary();
    const guard = createAddressGuard(['127.0.0.2/32']);
    let asked = 0;
    const resolve: Resolve = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
    expect((await deliver({ url: `http://flips.example:${port}/` }, { guard, resolve })).errorClass).toBe('refused');
    expect(asked).toBe(1);
    expect(connections()).toBe(0);
  });

  it('is skipped when the name has permitted addresses', async () => {
    const url = await httpServer((_request, response) => response.end());
    const guard = createAddressGuard(['127.0.0.1/32']);
    const resolve: Resolve = async () => [
      { address: '169.254.169.254', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ];
    const { port } = new URL(url);
    expect(await deliver({ url: `http://both.example:${port}/` }, { guard, resolve })).toMatchObject({ status: 200 });
  });

  it('is each public address without TLS', async () => {
    const resolve: Resolve = async () => [{ address: '1.1.1.1', family: 4 }];
    expect(await deliver({ url: 'http://public.example/' }, { resolve })).toMatchObject(BLOCKED);
    expect(await deliver({ url: 'http://1.1.1.1/' })).toMatchObject(BLOCKED);
  });
});

function makeDeliverer(options: Partial<DelivererOptions> = {}) {
  const deliverer = createDeliverer({ guard: createAddressGuard(['127.0.0.0/8']), ...options });
  closing.push(() => deliverer.close());
  return deliverer;
}

function deliver(given: Partial<Attempt>, options: Partial<DelivererOptions> = {}) {
  return makeDeliverer(options).deliver(attempt(given));
}

function attempt(given: Partial<Attempt>): Attempt {
  return {
    deliveryId: 'del_0000000000000000000000000a',
    eventId: 'evt_0000000000000000000000000a',
    eventType: 'client.created',
    payload: PAYLOAD,
    url: 'http://127.0.0.1:9/',
    secrets: [SECRET],
    traceparent: null,
    at: Date.now(),
    ...given,
  };
}

function httpServer(listener: RequestListener): Promise<string> {
  return listen(createServer(listener));
}

function tcpServer(onConnection: (socket: Socket) => void): Promise<string> {
  return listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined);
      onConnection(socket);
    }),
  );
}

async function canary() {
  let count = 0;
  const url = await tcpServer(() => {
    count++;
  });
  return { port: new URL(url).port, connections: () => count };
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5);
  socket.on('close', () => clearInterval(timer));
}
