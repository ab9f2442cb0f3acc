import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebhookVerificationError } from '../index.ts';
import { signTestEvent, TEST_SECRET } from '../testing.ts';
import { webhookHandler } from '../web.ts';
import { adapters, listen, listening, quiet } from './adapters.fixture.ts';
import { format1, format2, loadBalancer } from './cloud-requests.fixture.ts';
import { expressWebhook } from './express.ts';
import { fastifyWebhook } from './fastify.ts';
import { honoWebhook } from './hono.ts';
import { lambdaWebhook } from './lambda.ts';
import { nextWebhook } from './next.ts';

describe('framework specifics', () => {
  const { rawBody, headers, body } = signTestEvent('client.created');

  test('a load balancer without multi-value headers gets a status in words, and API Gateway does not', async () => {
    const receive = lambdaWebhook(quiet, vi.fn());
    expect(await receive(loadBalancer(false)(rawBody, headers))).toEqual({
      statusCode: 200,
      statusDescription: '200 OK',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"received":true}',
      isBase64Encoded: false,
    });
    expect(Object.keys(await receive(format1(rawBody, headers)))).toEqual([
      'statusCode',
      'body',
      'isBase64Encoded',
      'headers',
    ]);
  });

  test.each([
    ['2.0', { ...format2(rawBody, headers), rawQueryString: 'of=a%20b&x=1' }],
    ['1.0', { ...format1(rawBody, headers), queryStringParameters: { of: 'a b', x: '1' } }],
    ['load balancer', { ...loadBalancer(false)(rawBody, headers), queryStringParameters: { of: 'a%20b', x: '1' } }],
  ])('a resolver on Lambda receives path and query as they were sent: %s', async (_, event) => {
    const secrets = vi.fn(async () => TEST_SECRET);
    await lambdaWebhook({ secrets }, vi.fn())(event);
    expect(secrets).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ url: '/hooks?of=a%20b&x=1' }));
  });

  test('an event of Lambda without headers is refused', async () => {
    expect(await lambdaWebhook(quiet, vi.fn())({})).toMatchObject({ statusCode: 400 });
    const cleared = { headers: null, queryStringParameters: null, requestContext: null };
    expect(await lambdaWebhook(quiet, vi.fn())(cleared)).toMatchObject({ statusCode: 400 });
  });

  test('after express.json every delivery is refused, and the response names the fix', async () => {
    const onError = vi.fn();
    const handle = vi.fn();
    const send = await listen(
      express()
        .use(express.json())
        .post('/hooks', expressWebhook({ secrets: TEST_SECRET, onError }, handle)),
    );
    for (const each of [rawBody, '{}']) {
      expect(await send(each, headers)).toMatchObject({
        status: 400,
        body: {
          code: 'BODY_NOT_RAW',
          message: expect.stringMatching(/before app\.use\(express\.json\(\)\).*rawBody: true.*bodyParser: false/),
        },
      });
    }
    expect(onError).toHaveBeenCalledWith(expect.any(WebhookVerificationError), undefined);
    expect(handle).not.toHaveBeenCalled();
  });

  test('an express.json that stores the bytes in rawBody, and express.text, are accepted', async () => {
    const keep = express.json({
      verify: (request, _response, buffer) => {
        Reflect.set(request, 'rawBody', buffer);
      },
    });
    const hook = expressWebhook(quiet, vi.fn());
    for (const parser of [keep, express.text({ type: '*/*' })]) {
      const send = await listen(express().use(parser).post('/hooks', hook));
      expect((await send(rawBody, headers)).status).toBe(200);
    }
  });

  test('on Node a signature in two headers is refused even if the joined value would be valid', async () => {
    const { signature } = signTestEvent('client.created');
    for (const name of ['node:http', 'Fastify']) {
      const send = await adapters[name]?.(quiet, vi.fn());
      const split = { ...headers, 'x-platform-signature': signature.split(',') };
      expect(await send?.(rawBody, split)).toMatchObject({ status: 400, body: { code: 'SIGNATURE_REPEATED' } });
    }
  });

  test('Fastify still parses JSON outside the plugin', async () => {
    const app = fastify();
    onTestFinished(() => app.close());
    await app.register(fastifyWebhook({ ...quiet, path: '/hooks' }, vi.fn()));
    app.post('/echo', (request) => request.body);
    const echoed = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } });
    expect(echoed.json()).toEqual({ a: 1 });
    const received = await app.inject({ method: 'POST', url: '/hooks', payload: Buffer.from(rawBody), headers });
    expect(received.json()).toEqual({ received: true });
  });

  test('bytes of another realm are verified: a test runner gives programs their own Uint8Array', async () => {
    const bytes = runInNewContext('Uint8Array.from(bytes)', { bytes: [...Buffer.from(rawBody)] });
    const app = fastify();
    onTestFinished(() => app.close());
    app.addHook('preValidation', async (request) => {
      request.body = bytes;
    });
    await app.register(fastifyWebhook({ ...quiet, path: '/hooks' }, vi.fn()));
    const received = await app.inject({ method: 'POST', url: '/hooks', payload: Buffer.from(rawBody), headers });
    expect(received.json()).toEqual({ received: true });
    const parse: express.RequestHandler = (request, _response, next) => {
      request.body = bytes;
      next();
    };
    const send = await listen(
      express().post('/hooks', express.raw({ type: '*/*' }), parse, expressWebhook(quiet, vi.fn())),
    );
    expect((await send(rawBody, headers)).status).toBe(200);
  });

  test('Hono middleware can read the body before, as text, bytes or JSON', async () => {
    for (const read of ['text', 'arrayBuffer', 'json'] as const) {
      const app = new Hono();
      app.use(async (context, next) => {
        await context.req[read]();
        await next();
      });
      app.post('/hooks', honoWebhook(quiet, vi.fn()));
      app.post('/small', honoWebhook({ ...quiet, maxBodyBytes: rawBody.length - 1 }, vi.fn()));
      const response = await app.request('/hooks', { method: 'POST', body: rawBody, headers });
      expect(response.status, read).toBe(200);
      const small = await app.request('/small', { method: 'POST', body: rawBody, headers });
      // Of a body that was read as JSON, Hono keeps the text too.
      expect(small.status, read).toBe(413);
    }
  });

  test('a request that was already read is refused, and the hint names the fix', async () => {
    const app = new Hono();
    app.use(async (context, next) => {
      await context.req.raw.text();
      await next();
    });
    app.post('/hooks', honoWebhook(quiet, vi.fn()));
    const spent = await app.request('/hooks', { method: 'POST', body, headers });
    expect(await spent.json()).toMatchObject({ code: 'BODY_NOT_RAW' });
    const request = new Request('http://localhost', { method: 'POST', body, headers });
    await request.text();
    expect(await (await webhookHandler(quiet, vi.fn())(request)).json()).toMatchObject({
      code: 'BODY_NOT_RAW',
      message: expect.stringContaining('request.clone()'),
    });
  });

  test('an endless stream is abandoned as soon as it exceeds the limit', async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled += 1;
        if (pulled > 100) controller.close();
        else controller.enqueue(new Uint8Array(500));
      },
    });
    // The browser types of the same name do not have `duplex`.
    const init = { method: 'POST', body: endless, headers, duplex: 'half' };
    const request = new Request('http://localhost', init as RequestInit);
    expect((await webhookHandler({ ...quiet, maxBodyBytes: 1000 }, vi.fn())(request)).status).toBe(413);
    expect(pulled).toBeLessThan(10);
  });

  test('the promise of a request that was closed before the adapter ran settles', async () => {
    const onError = vi.fn();
    const adapter = expressWebhook({ ...quiet, onError }, vi.fn());
    const ended = new Promise<void>((resolve) => {
      const server = createServer((incoming, response) => {
        // Middleware that waits, for example for a rate limit.
        incoming.on('close', () => setImmediate(() => resolve(adapter(incoming, response))));
      });
      onTestFinished(() => void server.close());
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': 100 } });
        sent.on('error', () => undefined);
        sent.write('{');
        server.once('request', () => sent.destroy());
      });
    });
    await ended;
    expect(String(onError.mock.calls[0]?.[0])).toContain('closed');
  });

  test('a body that breaks off is not logged by default: anyone can cause it', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => logged.mockRestore());
    const adapter = expressWebhook({ secrets: TEST_SECRET }, vi.fn());
    const ended = Promise.withResolvers<void>();
    const server = createServer((request, response) => ended.resolve(adapter(request, response)));
    await listening(server, '/');
    const { port } = server.address() as AddressInfo;
    const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers: { 'content-length': 100 } });
    sent.on('error', () => undefined);
    server.once('request', () => sent.destroy());
    sent.write('{');
    await ended.promise;
    const broken = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
    const init = { method: 'POST', body: broken, headers, duplex: 'half' };
    const answer = await webhookHandler(
      { secrets: TEST_SECRET },
      vi.fn(),
    )(new Request('http://localhost', init as RequestInit));
    expect(answer.status).toBe(500);
    expect(logged).not.toHaveBeenCalled();
  });

  test("an object that is not a Request, such as that of Next's Pages Router, is refused, and the hint names the fix", async () => {
    const answer = await Reflect.apply(nextWebhook(quiet, vi.fn()), undefined, [{ headers, body: JSON.parse(body) }]);
    expect(await answer.json()).toMatchObject({ code: 'BODY_NOT_RAW', message: expect.stringContaining('no Request') });
  });
});
