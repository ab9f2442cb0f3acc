import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { LIMITS, type WebhookDelivery } from '@plat/contract';
import { createTestServer } from '@plat/server/testing';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { apiOf } from '../support/api.ts';
import { type Certificate, selfSigned, trust } from '../support/certificate.ts';
import { migratedDatabase } from '../support/database.ts';
import { drip, type FaultyReceiver, onRequest, startFaulty } from '../support/faulty-receiver.ts';
import { findProgram, isRequired } from '../support/find-servers.ts';
import { freePort } from '../support/free-port.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

const openssl = findProgram('openssl');
if (!openssl) process.stderr.write('\n*** NOT TESTED with openssl. Debian: apt-get install openssl. ***\n\n');

/** Long enough for a busy machine, short enough to wait for. */
const DEADLINE_MS = 5_000;
const story = useServer({ delivery: { deadlineMs: DEADLINE_MS } });
let healthy: Receiver;
const faulty: FaultyReceiver[] = [];

beforeAll(async () => {
  healthy = await startReceiver();
});
afterEach(async () => {
  for (const receiver of faulty.splice(0)) await receiver.close();
});
afterAll(() => healthy.close());

type Fault = (socket: Socket) => void;
const HEAD = 'HTTP/1.1 200 OK\r\nX-Seen: yes\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;
const CONNECTED = { remote_address: '127.0.0.1', timings: { dns_ms: null, connect_ms: expect.any(Number) } };
const NO_ANSWER = { response_status: null, response_headers: null, response_body: null };
const SEEN = { response_status: 200, response_headers: expect.arrayContaining([{ name: 'X-Seen', value: 'yes' }]) };
const answering =
  (text: string, then: Fault = () => undefined): Fault =>
  (socket) =>
    onRequest(socket, () => socket.write(text, 'latin1', () => then(socket)));
const end: Fault = (socket) => socket.end();
const reset: Fault = (socket) => socket.resetAndDestroy();

describe('a receiver that takes longer than the deadline', () => {
  const SLOW: readonly (readonly [title: string, fault: Fault, expected: object, scheme?: string])[] = [
    ['never answers', (socket) => socket.resume(), { ...CONNECTED, ...NO_ANSWER }],
    ['drips its headers', answering(HEAD, (socket) => drip(socket, 'X-More: 1\r\n')), { ...CONNECTED, ...NO_ANSWER }],
    ['hangs behind its headers', answering(`${HEAD}Content-Length: 2\r\n\r\n`), { ...SEEN, response_body: '' }],
    [
      'drips its body',
      answering(CHUNKED, (socket) => drip(socket, '1\r\nx\r\n')),
      { ...SEEN, response_body: expect.stringMatching(/^x+$/) },
    ],
    [
      'promises more than it sends, and waits',
      answering(`${HEAD}Content-Length: 100\r\n\r\nhalf`),
      { ...SEEN, response_body: 'half', timings: { first_byte_ms: expect.any(Number) } },
    ],
    [
      'never finishes the TLS handshake',
      (socket) => socket.resume(),
      { ...CONNECTED, ...NO_ANSWER, timings: { ...CONNECTED.timings, tls_ms: null, first_byte_ms: null } },
      'https',
    ],
  ];
  const receivers: FaultyReceiver[] = [];
  let attempts: readonly WebhookDelivery[] = [];
  beforeAll(async () => {
    for (const [, fault] of SLOW) receivers.push(await startFaulty({ answer: fault }));
    const urls = receivers.map(({ port }, index) => `${SLOW[index]?.[3] ?? 'http'}://127.0.0.1:${port}/`);
    attempts = await attemptsAt(urls);
  });
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

  test.each(SLOW.map(([title, , expected], index) => [title, expected, index] as const))(
    '%s: timeout; the bytes that arrived are stored, and the connection is closed',
    async (_title, expected, index) => {
      expect(attempts[index]).toMatchObject({
        ...expected,
        status: 'retrying',
        error_class: 'timeout',
        error: 'timeout: no complete answer within 10 s',
        remote_address: '127.0.0.1',
      });
      await expect.poll(() => receivers[index]?.open).toBe(0);
    },
  );
});

describe('a receiver that', () => {
  test('never ends its body is read up to 16 KiB, and its status counts', async () => {
    const receiver = await start(answering(CHUNKED, flood));
    expect(await attemptAt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      ...SEEN,
      status: 'succeeded',
      error_class: null,
      response_body: 'x'.repeat(1024),
    });
    await expect.poll(() => receiver.open).toBe(0);
  });

  test('never ends the extension of a chunk is not read until the deadline, and its status counts', async () => {
    const receiver = await start(answering(`${CHUNKED}1;a=`, (socket) => pour(socket, 'x'.repeat(0x10000))));
    expect(await attemptAt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      ...SEEN,
      status: 'succeeded',
      error_class: null,
      response_body: '',
    });
    await expect.poll(() => receiver.open).toBe(0);
  });

  test('sends 16 KiB in chunks of one byte is read to the end', async () => {
    const receiver = await start(answering(`${CHUNKED}${'1\r\nx\r\n'.repeat(LIMITS.webhook.responseBytes)}0\r\n\r\n`));
    expect(await attemptAt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({ ...SEEN, status: 'succeeded' });
    // The connection is kept.
    expect(receiver.open).toBe(1);
  });

  test('sends a gzip bomb has its body stored as it arrived, compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const head = `${HEAD}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`;
    const { port } = await start(answering(head, (socket) => socket.write(bomb)));
    const attempt = await attemptAt(`http://127.0.0.1:${port}/`);
    expect(attempt).toMatchObject({ ...SEEN, status: 'succeeded', error_class: null });
    expect(attempt.response_body?.startsWith('\u001f\ufffd\b')).toBe(true);
    expect(attempt.response_body?.length).toBeLessThanOrEqual(1024);
  });

  test.each<[string, Fault, string, object]>([
    ['promises more than it sends, and ends', answering(`${HEAD}Content-Length: 9\r\n\r\nhalf`, end), 'reset', SEEN],
    ['resets at once', reset, 'reset', NO_ANSWER],
    ['resets before its headers', answering('HTTP/1.1 2', reset), 'reset', NO_ANSWER],
    ['resets within its body', answering(`${HEAD}Content-Length: 9\r\n\r\nhalf`, reset), 'reset', SEEN],
    ['ends without a word', answering('', end), 'reset', NO_ANSWER],
    ['has two lengths', answering(`${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`), 'protocol', NO_ANSWER],
    ['has a length that is no number', answering(`${HEAD}Content-Length: -1\r\n\r\n`), 'protocol', NO_ANSWER],
    ['has headers without end', answering(`${HEAD}X-Long: ${'x'.repeat(20_000)}`), 'protocol', NO_ANSWER],
    [
      'sends informational responses without end',
      answering('', (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n'.repeat(1024))),
      'protocol',
      NO_ANSWER,
    ],
    [
      'sends empty lines without end',
      answering('', (socket) => pour(socket, '\r\n'.repeat(0x8000))),
      'protocol',
      NO_ANSWER,
    ],
    ['uses another protocol', answering('220 mail.example ESMTP\r\n'), 'protocol', NO_ANSWER],
    [
      'asks to switch protocols',
      answering('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'protocol',
      NO_ANSWER,
    ],
  ])('%s fails', async (_title, fault, errorClass, expected) => {
    const receiver = await start(fault);
    expect(await attemptAt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      ...expected,
      status: 'retrying',
      error_class: errorClass,
      error: expect.stringMatching(`^${errorClass}: `),
    });
    await expect.poll(() => receiver.open).toBe(0);
  });

  test('sends more than it promises does not affect the response of the next delivery', async () => {
    const smuggled = 'HTTP/1.1 200 OK\r\nX-Smuggled: yes\r\nContent-Length: 0\r\n\r\n';
    const { port } = await start(answering(`HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno${smuggled}`));
    const { api, endpointIds } = await subscribe(`http://127.0.0.1:${port}/`);
    for (const name of ['One', 'Two', 'Three']) await api('/v1/clients', { body: { name } });
    await story.server.idle();
    const attempts: WebhookDelivery[] = (
      await api(`/v1/webhooks/deliveries?endpoint_id=${endpointIds[0]}&status=retrying`)
    ).body.data;
    expect(attempts).toHaveLength(3);
    for (const attempt of attempts) {
      expect(attempt).toMatchObject({ response_status: 500, response_body: 'no', error_class: 'http_status' });
      expect(JSON.stringify(attempt)).not.toContain('Smuggled');
    }
  });

  test.each([301, 302, 303, 307, 308])(
    'redirects inside with %i is not followed: no packet gets there',
    async (status) => {
      const canary = await start((socket) => socket.resume());
      const location = `http://127.0.0.1:${canary.port}/latest/meta-data/`;
      const { port } = await start(
        answering(`HTTP/1.1 ${status} Over there\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`),
      );
      expect(await attemptAt(`http://127.0.0.1:${port}/`)).toMatchObject({
        status: 'retrying',
        response_status: status,
        response_headers: expect.arrayContaining([{ name: 'Location', value: location }]),
        error_class: 'redirect',
        error: 'redirect: redirects are not followed',
      });
      expect(canary.connections).toBe(0);
    },
  );

  test('does not listen fails as refused, without an address in the result', async () => {
    const receiver = await startFaulty({ answer: () => undefined });
    await receiver.close();
    expect(await attemptAt(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      ...NO_ANSWER,
      error_class: 'refused',
      remote_address: null,
      timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
    });
  });

  test('sends text that is harmful to store or show has it stored as plain text', async () => {
    const hostile = '<script>alert(1)</script>\u001b[2J \u0000 \u00ff\u00fe \u00e2\u0082';
    const text = '<script>alert(1)</script>\u001b[2J \ufffd \ufffd\ufffd';
    const headers =
      'X-Html: <b>\r\nX-Broken: \u00ff\u00fe\r\nX-Utf8: \u00c3\u00a9 \u00f0\u009f\u009a\u0080\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n';
    const { port } = await start(
      answering(`HTTP/1.1 400 No\r\n${headers}Content-Length: ${hostile.length}\r\n\r\n${hostile}`),
    );
    const attempt = await attemptAt(`http://127.0.0.1:${port}/`);
    expect(attempt).toMatchObject({
      response_status: 400,
      error_class: 'http_status',
      error: null,
      response_body: `${text} `,
    });
    expect(attempt.response_headers).toEqual([
      { name: 'X-Html', value: '<b>' },
      { name: 'X-Broken', value: '\ufffd\ufffd' },
      { name: 'X-Utf8', value: 'é 🚀' },
      { name: 'Set-Cookie', value: 'a=1' },
      { name: 'Set-Cookie', value: 'b=2' },
      { name: 'Content-Length', value: String(hostile.length) },
    ]);
  });
});

describe('over TLS', () => {
  const good = selfSigned({ hosts: ['127.0.0.1'] });
  const expired = selfSigned({ hosts: ['127.0.0.1'], notAfter: new Date('2021-01-01') });
  const early = selfSigned({ hosts: ['127.0.0.1'], notBefore: new Date('2048-01-01') });
  const elsewhere = selfSigned({ hosts: ['elsewhere.example', '127.0.0.9'] });
  const stranger = selfSigned({ hosts: ['127.0.0.1'] });
  let endTrust: () => void;
  beforeAll(() => {
    endTrust = trust(good, expired, early, elsewhere);
  });
  afterAll(() => endTrust());

  test('a trusted receiver gets the delivery, and the next one over the same connection', async () => {
    const { requests, port } = await startTls(good);
    const { api, endpointIds } = await subscribe(`https://127.0.0.1:${port}/`);
    const attempts: WebhookDelivery[] = [];
    for (const name of ['One', 'Two']) {
      await api('/v1/clients', { body: { name } });
      await story.server.idle();
      const { body } = await api(`/v1/webhooks/deliveries?endpoint_id=${endpointIds[0]}&limit=1`);
      attempts.push(body.data[0]);
    }
    expect(attempts).toMatchObject([
      { status: 'succeeded', ...CONNECTED, timings: { ...CONNECTED.timings, tls_ms: expect.any(Number) } },
      { status: 'succeeded', remote_address: '127.0.0.1', timings: { connect_ms: null, tls_ms: null } },
    ]);
    for (const attempt of attempts) expectSense(attempt);
    expect(requests()).toBe(2);
  });

  test.each<[string, Certificate, SecureVersion?]>([
    ['with an untrusted certificate', stranger],
    ['whose certificate has expired', expired],
    ['whose certificate is not valid yet', early],
    ['whose certificate is for another host', elsewhere],
    ['that uses TLS 1.1 only', good, 'TLSv1.1'],
  ])('a receiver %s gets nothing', async (_title, certificate, version) => {
    const { requests, port } = await startTls(certificate, version);
    // Twice: a session of the first connection must not let the second one bypass the check.
    for (let times = 0; times < 2; times++) {
      expect(await attemptAt(`https://127.0.0.1:${port}/`)).toMatchObject({
        ...NO_ANSWER,
        error_class: 'tls',
        error: 'tls: no trusted TLS connection could be made',
        remote_address: '127.0.0.1',
        timings: { connect_ms: expect.any(Number), tls_ms: null, first_byte_ms: null },
      });
    }
    expect(requests()).toBe(0);
  });

  test.skipIf(!openssl && !isRequired('openssl')).each([
    ['session tickets', ['-num_tickets', '3000000'], 'sleep 60'],
    // Each k of the input sends a KeyUpdate.
    ['key updates', [], 'yes k'],
  ])('a receiver that sends %s without end is cut off', async (_title, options, input) => {
    const folder = tempFolder('tls');
    onTestFinished(folder.remove);
    const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
    writeFileSync(cert, good.cert);
    writeFileSync(key, good.key);
    const port = await freePort();
    const words = ['openssl', 's_server', '-accept', port, '-cert', cert, '-key', key, '-tls1_3', ...options];
    const server = spawn('sh', ['-c', `${input} | ${words.join(' ')}`], { detached: true });
    onTestFinished(() => {
      // It ends by itself when the connection does.
      if (server.exitCode === null && server.pid !== undefined) process.kill(-server.pid, 'SIGKILL');
    });
    // It prints ACCEPT when it listens.
    await once(server.stdout, 'data');
    server.stdout.resume();
    expect(await attemptAt(`https://127.0.0.1:${port}/`)).toMatchObject({ ...NO_ANSWER, error_class: 'tls' });
  });

  test('a receiver that answers in plain HTTP gets nothing', async () => {
    const { port } = await start((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')));
    expect(await attemptAt(`https://127.0.0.1:${port}/`)).toMatchObject({ ...NO_ANSWER, error_class: 'tls' });
  });
});

test('a server that closes leaves no socket open, although its receivers hang', async () => {
  const database = await migratedDatabase();
  const server = await createTestServer({ databaseUrl: database.url });
  const receivers = [
    await start((socket) => socket.resume()),
    await start(answering(CHUNKED, (socket) => drip(socket, '1\r\nx\r\n'))),
    await start(answering(`${HEAD}Content-Length: 2\r\n\r\nok`)),
  ];
  const api = apiOf(server.baseUrl, (await server.createTenant()).apiKey);
  const schemes = ['http', 'http', 'http', 'https'];
  for (const [index, scheme] of schemes.entries()) {
    const url = `${scheme}://127.0.0.1:${receivers[index % receivers.length]?.port}/${index}`;
    await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
  }
  await api('/v1/clients', { body: { name: 'Acme' } });
  const open = (): number => receivers.reduce((sum, receiver) => sum + receiver.open, 0);
  await expect.poll(open).toBe(schemes.length);
  await server.close();
  // Sooner than any deadline would close them.
  await expect.poll(open, { timeout: 5_000 }).toBe(0);
  await database.drop();
});

async function start(answer: Fault): Promise<FaultyReceiver> {
  const receiver = await startFaulty({ answer });
  faulty.push(receiver);
  return receiver;
}

async function startTls(certificate: Certificate, version?: SecureVersion) {
  let requests = 0;
  const old = { minVersion: 'TLSv1', maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' } as const;
  const server = createTlsServer({ ...certificate, ...(version ? old : {}) }, (request, response) => {
    requests++;
    request.resume().on('end', () => response.end('ok'));
  });
  const receiver = await startFaulty({ answer: server });
  faulty.push(receiver);
  return { port: receiver.port, requests: () => requests };
}

/** A tenant with endpoints at the given receivers, and one at the healthy receiver. */
async function subscribe(...urls: readonly string[]) {
  const api = apiOf(story.server.baseUrl, (await story.server.createTenant()).apiKey);
  const endpointIds: string[] = [];
  for (const url of [`${healthy.url}/hook`, ...urls]) {
    const { body } = await api('/v1/webhooks/endpoints', { body: { url, events: ['*'] } });
    endpointIds.push(body.id);
  }
  const [healthyId, ...others] = endpointIds;
  return { api, healthyId, endpointIds: others };
}

/** Returns the first attempts of an event at each endpoint. The healthy receiver got the event as well. */
async function attemptsAt(urls: readonly string[]): Promise<readonly WebhookDelivery[]> {
  const { api, endpointIds, healthyId } = await subscribe(...urls);
  await api('/v1/clients', { body: { name: 'Acme' } });
  await story.server.idle();
  const { data } = (await api('/v1/webhooks/deliveries?limit=100')).body as { data: WebhookDelivery[] };
  const at = (id: string | undefined) => data.filter(({ endpoint_id, attempt }) => endpoint_id === id && attempt === 1);
  expect(at(healthyId)).toMatchObject([{ status: 'succeeded' }]);
  const attempts = endpointIds.flatMap(at);
  expect(attempts).toHaveLength(urls.length);
  for (const attempt of attempts) expectSense(attempt);
  return attempts;
}

async function attemptAt(url: string): Promise<WebhookDelivery> {
  const [attempt] = await attemptsAt([url]);
  if (!attempt) throw new Error('there is no attempt');
  return attempt;
}

/** Asserts that times are whole numbers, and that the phases are not longer than the total. */
function expectSense({ duration_ms, timings }: WebhookDelivery): void {
  if (timings === null) throw new Error('an attempt has times');
  const { total_ms, ...phases } = timings;
  expect(total_ms).toBe(duration_ms);
  const times = Object.values(phases).filter((time) => time !== null);
  for (const time of [total_ms, ...times])
    expect(Number.isInteger(time) && time >= 0, JSON.stringify(timings)).toBe(true);
  // Each phase is rounded.
  expect(times.reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual(total_ms + 2.5);
}

function flood(socket: Socket): void {
  pour(socket, `2000\r\n${'x'.repeat(0x2000)}\r\n`);
}

/** Sends a text until the other side closes the connection. */
function pour(socket: Socket, text: string): void {
  const more = (): void => {
    while (socket.writable && socket.write(text));
  };
  socket.on('drain', more);
  more();
}
