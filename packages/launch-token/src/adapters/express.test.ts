import { request as httpRequest } from 'node:http';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { expect, test, vi } from 'vitest';
import { base, FORM, form, listen, portOf, token, viaHttp } from './adapters.fixture.ts';
import { expressLaunch } from './express.ts';

test('a form without a length is cut off at the limit, before all of it has arrived', async () => {
  const server = await listen(express().post('/launch', expressLaunch({ ...base, onError: () => undefined })));
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port: portOf(server), path: '/launch', method: 'POST', headers: { 'content-type': FORM } },
      (response) => {
        resolve(response.statusCode);
        sent.destroy();
      },
    );
    sent.on('error', reject);
    // The request is never ended.
    sent.write('a'.repeat(32 * 1024 + 1));
  });
  expect(status).toBe(413);
});

test('a request that ends in the middle of its form goes to the error handler, not to the route', async () => {
  const failed = vi.fn();
  const post = express()
    .post('/launch', expressLaunch(base), failed)
    .use(((error: Error & { status: number }, _request, response, _next) => {
      failed(error.status, error.message);
      response.destroy();
    }) as express.ErrorRequestHandler);
  const server = await listen(post);
  const sent = httpRequest({
    host: '127.0.0.1',
    port: portOf(server),
    path: '/launch',
    method: 'POST',
    headers: { 'content-type': FORM, 'content-length': 100 },
  });
  sent.on('error', () => undefined);
  sent.write('launch_token=');
  await new Promise((resolve) => server.once('request', resolve));
  sent.destroy();
  await expect.poll(() => failed.mock.calls).toEqual([[400, expect.stringContaining('closed before')]]);
});

test('a request that was closed before the adapter ran goes to the error handler', async () => {
  const adapter = expressLaunch(base);
  const { promise: failure, resolve } = Promise.withResolvers<unknown>();
  const server = await listen((request, response) => {
    // Middleware that waits, for example for a rate limit.
    request.on('close', () => setImmediate(() => void adapter(request, response, resolve)));
  });
  const headers = { 'content-type': FORM, 'content-length': 100 };
  const sent = httpRequest({ host: '127.0.0.1', port: portOf(server), method: 'POST', headers });
  sent.on('error', () => undefined);
  sent.write('launch_token=');
  server.once('request', () => sent.destroy());
  expect(String(await failure)).toContain('closed');
});

test('bytes of another realm are read: a test runner gives programs their own Uint8Array', async () => {
  const parse: express.RequestHandler = (request, _response, next) => {
    const bytes = [...(request.body as Buffer)];
    request.body = runInNewContext('Uint8Array.from(bytes)', { bytes });
    next();
  };
  const server = await listen(
    express().post('/launch', express.raw({ type: '*/*' }), parse, expressLaunch(base), (_request, response) => {
      response.json({ isAccepted: true });
    }),
  );
  expect(await viaHttp(server)(form(token))).toMatchObject({ status: 200, body: { isAccepted: true } });
});

test('an error that is not a refusal goes to next: Express 4 ignores promises', async () => {
  const failure = new Error('The request cannot be read.');
  const request = {
    get headers(): never {
      throw failure;
    },
  };
  const next = vi.fn();
  await Reflect.apply(expressLaunch(base), undefined, [request, {}, next]);
  expect(next).toHaveBeenCalledExactlyOnceWith(failure);
});
