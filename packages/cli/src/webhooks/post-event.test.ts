import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { createVerifier } from '@plat/webhooks';
import { signTestEvent } from '@plat/webhooks/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type EventPost, postEvent, wasAccepted } from './post-event.ts';

const { body, event } = signTestEvent('client.created', { data: { name: 'Grüße' } });
const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

function postTo(url: string, more: Partial<EventPost> = {}) {
  const ids = { eventType: event.type, eventId: event.id, deliveryId: 'del_1' };
  return postEvent({ url, body, ...ids, secrets: ['whsec_a', 'whsec_b'], now: NOW, timeoutMs: 20_000, ...more });
}

async function listen(server: Server): Promise<string> {
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/hooks?a=1`;
}

const receiver = (listener: RequestListener) => listen(createServer(listener));

/** Starts a server that sends this text on every connection. */
const saying = (text: string) =>
  listen(createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(text))));

describe('postEvent', () => {
  it('sends the bytes with the headers of a delivery, signed with every secret', async () => {
    const got: { url?: string | undefined; headers?: IncomingHttpHeaders; body?: Buffer } = {};
    const url = await receiver(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk);
      Object.assign(got, { url: req.url, headers: req.headers, body: Buffer.concat(chunks) });
      res.writeHead(202, { 'X-Mine': 'yes' }).end('thanks');
    });
    const answer = await postTo(url);
    expect(answer).toMatchObject({ status: 202, error: null, errorCode: null, body: 'thanks' });
    expect(answer.headers).toMatchObject({ 'x-mine': 'yes' });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
    expect(wasAccepted(answer)).toBe(true);
    expect(got.url).toBe('/hooks?a=1');
    expect(got.body?.toString('utf8')).toBe(body);
    expect(got.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': 'Platform-Webhooks/1.0',
      'x-platform-event': 'client.created',
      'x-platform-event-id': event.id,
      'x-platform-delivery-id': 'del_1',
    });
    for (const secrets of ['whsec_a', 'whsec_b']) {
      const verifier = createVerifier({ secrets, now: () => NOW });
      expect(verifier.verify(got.body ?? '', got.headers ?? {})).toEqual(event);
    }
  });

  it.each([200, 299])('treats %i as accepted', async (status) => {
    const url = await receiver((_, res) => res.writeHead(status).end());
    expect(wasAccepted(await postTo(url))).toBe(true);
  });

  it.each([300, 302, 400, 500])('treats %i as refused, and follows no redirect', async (status) => {
    let requests = 0;
    const url = await receiver((_, res) => {
      requests += 1;
      res.writeHead(status, { location: '/elsewhere' }).end('no');
    });
    const answer = await postTo(url);
    expect(answer).toMatchObject({ status, error: null, body: 'no' });
    expect([wasAccepted(answer), requests]).toEqual([false, 1]);
  });

  it('keeps the first KiB of a response, without a cut character', async () => {
    const url = await receiver((_, res) => res.end(`${'x'.repeat(1023)}ü${'y'.repeat(3000)}`));
    expect(await postTo(url)).toMatchObject({ status: 200, body: 'x'.repeat(1023) });
  });

  it('stops reading an answer that does not end, and counts it', async () => {
    const url = await receiver((_, res) => {
      const more = () => res.write('z'.repeat(4096), () => void (res.destroyed || setImmediate(more)));
      more();
    });
    const answer = await postTo(url);
    expect(answer).toMatchObject({ status: 200, error: null, body: 'z'.repeat(1024) });
    expect(wasAccepted(answer)).toBe(true);
  });

  it('reports an incomplete response as an error', async () => {
    const answer = await postTo(await saying('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    expect(answer).toMatchObject({ status: 200, body: 'half', errorCode: 'ECONNRESET' });
    expect(wasAccepted(answer)).toBe(false);
  });

  it.each([
    ['nothing', '', 'ECONNRESET', /hang up/],
    ['no HTTP', 'SSH-2.0-OpenSSH\r\n\r\n', /^HPE_/, /Parse Error/],
    [
      'another protocol',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'UNEXPECTED',
      /without a response/,
    ],
  ])('reports a server that sends %s', async (_, text, code, words) => {
    const { status, error, errorCode } = await postTo(await saying(text));
    expect(status).toBeNull();
    expect(errorCode).toMatch(code);
    expect(error).toMatch(words);
  });

  it('reports that nothing listens', async () => {
    const answer = await postTo('http://127.0.0.1:1/');
    expect(answer).toMatchObject({ status: null, errorCode: 'ECONNREFUSED', headers: {}, body: '' });
    expect(answer.error).toContain('127.0.0.1:1');
  });

  it.each(['', 'ftp://127.0.0.1/', 'http://'])('reports the invalid URL %j', async (url) => {
    expect(await postTo(url)).toMatchObject({ status: null, errorCode: expect.stringMatching(/^ERR_INVALID_/) });
  });

  it('sends nothing that cannot be signed or is invalid in a header', async () => {
    let requests = 0;
    const url = await receiver((_, res) => {
      requests += 1;
      res.end();
    });
    expect(await postTo(url, { secrets: [] })).toMatchObject({ status: null, errorCode: 'SECRETS_MISSING' });
    expect(await postTo(url, { eventType: 'a\r\nb: c' })).toMatchObject({
      status: null,
      errorCode: 'ERR_INVALID_CHAR',
    });
    expect(requests).toBe(0);
  });

  it.each([
    ['before', () => {}],
    ['amid', (res: { write(text: string): void }) => res.write('slow')],
  ] as const)('stops at its timeout, %s the response', async (_, begin) => {
    const url = await receiver((_, res) => begin(res));
    const answer = await postTo(url, { timeoutMs: 100 });
    expect(answer).toMatchObject({ error: 'no complete response within 0.1 s', errorCode: 'TIMEOUT' });
    expect(wasAccepted(answer)).toBe(false);
  });

  it('is aborted by its caller', async () => {
    const stop = new AbortController();
    const url = await receiver(() => stop.abort());
    expect(await postTo(url, { signal: stop.signal })).toMatchObject({ status: null, errorCode: 'ABORTED' });
    expect(await postTo(url, { signal: stop.signal })).toMatchObject({ status: null, errorCode: 'ABORTED' });
  });
});
