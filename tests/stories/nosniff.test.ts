import { once } from 'node:events';
import { connect } from 'node:net';
import { DEVICE_PATHS, isId } from '@plat/contract';
import type { TestSession } from '@plat/server/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { startWorkerProcess } from '../support/server-process.ts';
import { useServer } from '../support/story.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* Every response forbids guessing its type, and has the id of its request. */

const story = useServer({ env: { PLAT_DISPATCH: 'false' } });
let apiKey: string;
let admin: TestSession;

beforeAll(async () => {
  const tenant = await story.server.createTenant();
  apiKey = tenant.apiKey;
  admin = await story.server.signInAdmin(tenant.ownerId);
});

function expectHeaders(headers: Headers): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(isId('request', headers.get('x-request-id'))).toBe(true);
}

describe('X-Content-Type-Options: nosniff is on', () => {
  test.each([
    ['200 of the API', 200, '/v1/me', () => ({ headers: { authorization: `Bearer ${apiKey}` } })],
    ['401', 401, '/v1/me', () => ({})],
    ['404 of the API', 404, '/v1/nothing', () => ({ headers: { authorization: `Bearer ${apiKey}` } })],
    ['404', 404, '/nothing', () => ({})],
    ['an undecodable path', 404, '/%zz', () => ({})],
    ['405', 405, '/oauth/token', () => ({})],
    ['413', 413, DEVICE_PATHS.token, () => ({ method: 'POST', body: 'x'.repeat(20_000) })],
    ['a health probe', 200, '/livez', () => ({})],
    ['a readiness probe', 200, '/readyz', () => ({})],
    ['the document', 200, '/openapi.json', () => ({})],
    ['the documentation', 200, '/docs/', () => ({})],
    ['the key set', 200, '/.well-known/jwks.json', () => ({})],
    ['discovery', 200, '/.well-known/oauth-authorization-server', () => ({})],
    ['the development tools', 200, '/_dev/clock', () => ({})],
    ['mail of the development mode', 200, '/_dev/mail', () => ({})],
    ['a page', 200, '/sign-in', () => ({ headers: { accept: 'text/html' } })],
    ['a page of an error', 404, '/sign-in/link', () => ({ headers: { accept: 'text/html' } })],
    ['a page behind the sign-in', 200, '/', () => ({ headers: { accept: 'text/html', cookie: admin.cookie } })],
    ['a redirect', 303, '/console', () => ({})],
    ['HEAD', 200, '/livez', () => ({ method: 'HEAD' })],
    ['OPTIONS', 200, '/livez', () => ({ method: 'OPTIONS' })],
  ])('%s', async (_title, status, path, init) => {
    const response = await fetch(story.server.baseUrl + path, { redirect: 'manual', ...init() });
    if (_title !== 'a page of an error') expect(response.status).toBe(status);
    expectHeaders(response.headers);
  });

  test.each(['/openapi.json', '/.well-known/jwks.json', 'the stylesheet'])('304 of %s', async (path) => {
    const page = await (await fetch(`${story.server.baseUrl}/sign-in`, { headers: { accept: 'text/html' } })).text();
    const place = path.startsWith('/') ? path : (/href="([^"]+\.css)"/.exec(page)?.[1] ?? '');
    const first = await fetch(story.server.baseUrl + place);
    expectHeaders(first.headers);
    const etag = first.headers.get('etag') ?? '';
    const { status, headers } = await sendLines([`GET ${place} HTTP/1.1`, 'Host: x', `If-None-Match: ${etag}`]);
    expect(status).toBe(304);
    expectHeaders(headers);
  });

  test.each([
    ['no HTTP at all', 400, ['nonsense']],
    ['no Host', 400, ['GET /livez HTTP/1.1']],
    ['two Hosts', 400, ['GET /livez HTTP/1.1', 'Host: x', 'Host: x']],
    ['a malformed Host', 400, ['GET /livez HTTP/1.1', 'Host: x y']],
    ['headers that are too large', 400, ['GET /livez HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(20_000)}`]],
    ['an expectation that is not met', 404, ['POST /livez HTTP/1.1', 'Host: x', 'Expect: 200-ok', 'Content-Length: 0']],
  ])('the response to %s', async (_what, status, lines) => {
    const answer = await sendLines(lines);
    expect(answer.status).toBe(status);
    expectHeaders(answer.headers);
    expect(JSON.parse(answer.body)).toMatchObject({ code: status === 404 ? 'NOT_FOUND' : 'INVALID_REQUEST' });
  });

  test('the health of a worker, and unknown paths of a worker', async () => {
    const dataDir = tempFolder('nosniff').path;
    const env = { DATABASE_URL: story.database.url, LOG_LEVEL: 'silent' };
    const worker = await startWorkerProcess(env, dataDir, '--health-port', '0');
    const [, base = ''] = await worker.waitFor(/Health +(http:\S+)\/readyz/);
    for (const path of ['/livez', '/readyz', '/nothing', '/%zz']) expectHeaders((await fetch(base + path)).headers);
    await worker.stop();
  });
});

/** Sends lines unchanged, and reads one response. */
async function sendLines(lines: readonly string[]): Promise<{ status: number; headers: Headers; body: string }> {
  const { hostname, port } = new URL(story.server.baseUrl);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  await once(socket, 'close');
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [statusLine = '', ...rest] = head.split('\r\n');
  const headers = new Headers(
    rest.map((line): [string, string] => {
      const [name = '', value = ''] = line.split(/: (.*)/s);
      return [name, value];
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body };
}
