import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import express from 'express';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorHandler, unknownRoute } from '../http/error-handler.ts';
import { requestContext } from '../http/request-context.ts';
import { siteMiddleware } from '../http/site.ts';
import type { KeptMail } from '../mail/mailbox.ts';
import { devMailRoutes } from './dev-mail.ts';

const mails: KeptMail[] = [];
let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(
    requestContext(pino({ level: 'silent' })),
    siteMiddleware(() => 'http://127.0.0.1:4010'),
    devMailRoutes(
      async () => mails,
      () => 'http://127.0.0.1',
    ),
    unknownRoute,
    errorHandler,
  );
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  mails.push({
    id: 'mai_2',
    to: '"><script>@example.com',
    subject: '<img src=x onerror=alert(1)>',
    text: 'Open https://a.example/x?a=1&b="2" (or http://b.example/y).\njavascript:alert(1) <script>',
    kind: 'user_invitation',
    createdAt: Date.UTC(2026, 0, 2),
  });
  mails.push({ id: 'mai_1', to: 'a@b.example', subject: 'Sent', text: null, kind: 'old', createdAt: 0 });
});
afterAll(() => server.close());

interface Asked {
  readonly headers?: Record<string, string>;
  readonly host?: string;
}

async function ask({ headers = {}, host = '127.0.0.1' }: Asked = {}) {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
    const req = request({ host, port, path: '/_dev/mail', headers }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () =>
        resolve({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    req.on('error', reject).end();
  });
}

test('a page shows the mails with their links, and escapes their text', async () => {
  const { status, headers, text } = await ask({ headers: { accept: 'text/html,*/*;q=0.8' } });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'self'; /);
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
  expect(text).not.toMatch(/<script|<img/);
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
  expect([...text.matchAll(/<a href="(.*?)"/g)].map(([, href]) => href)).toEqual([
    'https://a.example/x?a=1&amp;b=',
    'http://b.example/y',
  ]);
  expect(text.indexOf('mai_2')).toBeLessThan(text.indexOf('mai_1'));
});

test('a request for JSON gets a list', async () => {
  const { headers, text } = await ask({ headers: { accept: 'application/json' } });
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const { createdAt: _, ...first } = mails[0] ?? { createdAt: 0 };
  expect(JSON.parse(text)).toEqual([
    { ...first, created_at: '2026-01-02T00:00:00.000Z' },
    {
      id: 'mai_1',
      to: 'a@b.example',
      subject: 'Sent',
      text: null,
      kind: 'old',
      created_at: '1970-01-01T00:00:00.000Z',
    },
  ]);
});

test.each([['localhost:4010'], ['127.0.0.1'], ['[::1]:4010']])('the page is served for the host %s', async (host) => {
  expect((await ask({ headers: { host } })).status).toBe(200);
});

test.each([
  ['behind a proxy', { 'x-forwarded-for': '203.0.113.9' }],
  ['behind a proxy that keeps to RFC 7239', { forwarded: 'for=203.0.113.9' }],
  ['behind a proxy that says so', { via: '1.1 proxy' }],
  ["under a stranger's name that points here", { host: 'rebind.attacker.example' }],
  ['under a name that begins like ours', { host: 'localhost.attacker.example' }],
  ['under no name that can be read', { host: '%zz' }],
])('there is no such page %s', async (_where, headers) => {
  expect(await ask({ headers })).toMatchObject({ status: 404, text: expect.stringContaining('NOT_FOUND') });
});

const outward = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.skipIf(outward === undefined)('there is no such page for another machine', async () => {
  expect((await ask({ host: outward ?? '', headers: { host: 'localhost' } })).status).toBe(404);
});
