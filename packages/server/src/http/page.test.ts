import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetRoutes } from './assets.ts';
import { html } from './html.ts';
import { OWN_FORMS, sendPage } from './page.ts';
import { siteMiddleware } from './site.ts';

let server: Server;

beforeAll(async () => {
  const app = express();
  app.use(
    siteMiddleware(() => 'https://plat.example/under/a/path'),
    assetRoutes(),
  );
  app.get('/', (_req, res) => sendPage(res, 200, { title: 'A <b>', body: html`<p>c</p>` }));
  app.get('/form', (_req, res) => sendPage(res, 200, { title: 'Form', body: '<i>' }, OWN_FORMS));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => server.close());

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test('a page allows the styles and images of this server, and forms to the addresses that it names', async () => {
  const rest = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";
  const { headers, text } = await ask('/');
  expect(headers.get('content-security-policy')).toBe(`${rest}; form-action 'none'`);
  expect((await ask('/form')).headers.get('content-security-policy')).toBe(`${rest}; form-action 'self'`);
  expect(text).toContain('<title>A &lt;b&gt; – Plat</title>');
  expect(text).toContain('<h1>A &lt;b&gt;</h1>');
  expect((await ask('/form')).text).toContain('&lt;i&gt;');
});

test('a page loads the assets of this server, under the path of the base URL, and browsers cache them', async () => {
  const { text } = await ask('/');
  const paths = [...text.matchAll(/<link [^>]*href="\/under\/a\/path(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths).toHaveLength(2);
  for (const path of paths) {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-type')).toMatch(/^(text\/css; charset=utf-8|image\/svg\+xml)$/);
    const again = await ask(path, { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' });
    expect(again).toMatchObject({ status: 304, text: '' });
  }
});
