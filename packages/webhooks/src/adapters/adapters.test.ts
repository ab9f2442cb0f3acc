import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  createDedupe,
  type SecretLookup,
  WebhookConfigurationError,
  type WebhookEvent,
  WebhookVerificationError,
} from '../index.ts';
import { signTestEvent, TEST_SECRET } from '../testing.ts';
import { webhookHandler } from '../web.ts';
import { azureWebhook } from './azure.ts';
import {
  azureRequest,
  format1,
  format2,
  type LambdaEventOf,
  loadBalancer,
  readLambdaResponse,
} from './cloud-requests.fixture.ts';
import { expressWebhook } from './express.ts';
import { fastifyWebhook } from './fastify.ts';
import { honoWebhook } from './hono.ts';
import { lambdaWebhook } from './lambda.ts';
import { nextWebhook } from './next.ts';
import type { AdapterOptions } from './options.ts';

type Options = AdapterOptions & { secrets: Parameters<typeof webhookHandler>[0]['secrets'] };
type Handle = (event: WebhookEvent, context: { deliveryId: string | undefined }) => unknown;
type Send = (body: Uint8Array | string | undefined, headers: Record<string, string | string[]>) => Promise<Answered>;
interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Sends with node:http, which can send a header twice. `fetch` cannot. */
function sender(port: number, path: string): Send {
  return (body, headers) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          const json = text.startsWith('{') ? JSON.parse(text) : text;
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: json });
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
}

async function listen(listener: RequestListener, path = '/hooks'): Promise<Send> {
  const server = createServer(listener);
  return await listening(server, path);
}

async function listening(server: Server, path: string): Promise<Send> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return sender((server.address() as AddressInfo).port, path);
}

async function startFetch(handler: (request: Request) => Promise<Response>): Promise<Send> {
  return async (body, headers) => {
    const list = Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, each]),
    );
    const init = { method: 'POST', headers: list, ...(body === undefined ? {} : { body: Buffer.from(body) }) };
    const response = await handler(new Request('http://localhost/hooks', init));
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() };
  };
}

const adapters: Record<string, (options: Options, handle: Handle) => Promise<Send>> = {
  'Express, reading the body itself': (options, handle) =>
    listen(express().post('/hooks', expressWebhook(options, handle)).use(express.json())),
  'Express, behind express.raw': (options, handle) =>
    listen(express().post('/hooks', express.raw({ type: '*/*', limit: '10mb' }), expressWebhook(options, handle))),
  'node:http': (options, handle) => listen(expressWebhook(options, handle)),
  Fastify: async (options, handle) => {
    const app = fastify();
    await app.register(fastifyWebhook(options, handle), { prefix: '/hooks' });
    await app.listen({ host: '127.0.0.1', port: 0 });
    closing.push(() => app.close());
    return sender((app.server.address() as AddressInfo).port, '/hooks');
  },
  Hono: async (options, handle) => {
    const app = new Hono().post('/hooks', honoWebhook(options, handle));
    const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }) as Server;
    await new Promise((resolve) => server.once('listening', resolve));
    return await listening(server, '/hooks');
  },
  Next: (options, handle) => startFetch(nextWebhook(options, handle)),
  Request: (options, handle) => startFetch(webhookHandler(options, handle)),
  'Lambda with payload format 2.0': (options, handle) => startLambda(format2, options, handle),
  'Lambda with payload format 1.0': (options, handle) => startLambda(format1, options, handle),
  'Lambda behind a load balancer': (options, handle) => startLambda(loadBalancer(true), options, handle),
  'Azure Functions': async (options, handle) => {
    const receive = azureWebhook(options, handle);
    return async (body, headers) => {
      const answer = await receive(azureRequest(body, headers));
      return { ...answer, body: JSON.parse(answer.body) };
    };
  },
  'Cloud Functions': (options, handle) =>
    // The Functions Framework parses every body before the function, and keeps its bytes (src/server.ts, src/options.ts):
    // https://cloud.google.com/run/docs/write-http-functions
    listen(
      express()
        .use(...frameworkParsers())
        .post('/hooks', expressWebhook(options, handle)),
    ),
};

function frameworkParsers() {
  const verify = (request: object, _: unknown, rawBody: Buffer): void => void Object.assign(request, { rawBody });
  const limit = '10mb';
  return [
    express.json({ limit, verify }),
    express.text({ limit, verify }),
    express.urlencoded({ limit, verify, extended: true }),
    express.raw({ limit, verify, type: '*/*' }),
  ];
}

async function startLambda(eventOf: LambdaEventOf, options: Options, handle: Handle): Promise<Send> {
  const receive = lambdaWebhook(options, handle);
  return async (body, headers) => readLambdaResponse(await receive(eventOf(body, headers)));
}

const quiet = { secrets: TEST_SECRET, onError: () => undefined };

describe.each(Object.entries(adapters))('%s', (_, start) => {
  test('the handler receives the event and delivery id, and the response is 200', async () => {
    const handle = vi.fn();
    const send = await start(quiet, handle);
    const { rawBody, headers, event } = signTestEvent('client.created', { data: { name: 'Größe 🚀' } });
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true } });
    expect(handle).toHaveBeenCalledExactlyOnceWith(
      event,
      expect.objectContaining({ deliveryId: headers['x-platform-delivery-id'] }),
    );
  });

  test('a refused delivery gets 400 with code and message, and only the log has the hint', async () => {
    const handle = vi.fn();
    const onError = vi.fn();
    const send = await start({ secrets: ` ${TEST_SECRET}`, onError }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    const answer = await send(rawBody, headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH', message: expect.any(String) } });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.stringify(answer.body)).not.toContain('white space');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ hint: expect.stringContaining('white space') }),
      undefined,
    );
    expect(handle).not.toHaveBeenCalled();
  });

  test('a resolver receives the path of the request, and binds the event to the tenant of the secret', async () => {
    const onError = vi.fn();
    const handle = vi.fn();
    const secrets = vi.fn(async ({ tenantId, url }: SecretLookup) => {
      if (tenantId === 'tnt_down') throw new Error('database down');
      return tenantId === 'tnt_mine' ? { secret: TEST_SECRET, id: `of ${url}` } : undefined;
    });
    const send = await start({ secrets, onError }, handle);
    const mine = signTestEvent('client.created', { tenantId: 'tnt_mine' });
    expect(await send(mine.rawBody, mine.headers)).toMatchObject({ status: 200 });
    expect(handle).toHaveBeenCalledExactlyOnceWith(
      mine.event,
      expect.objectContaining({ secret: { index: 0, id: 'of /hooks', tenantId: 'tnt_mine' } }),
    );
    // An unknown tenant and a wrong secret get the same response, so that callers cannot find out which tenants exist.
    const unknown = signTestEvent('client.created', { tenantId: 'tnt_other' });
    const wrong = signTestEvent('client.created', { tenantId: 'tnt_mine', secret: 'whsec_wrong' });
    const refused = await send(wrong.rawBody, wrong.headers);
    expect(refused).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH' } });
    expect((await send(unknown.rawBody, unknown.headers)).body).toEqual(refused.body);
    expect(onError).toHaveBeenLastCalledWith(expect.objectContaining({ code: 'SECRET_NOT_FOUND' }), undefined);
    const down = signTestEvent('client.created', { tenantId: 'tnt_down' });
    const failed = await send(down.rawBody, down.headers);
    expect(failed).toMatchObject({ status: 500, body: { code: 'RECEIVER_FAILED' } });
    expect(JSON.stringify(failed.body)).not.toContain('database');
    expect(handle).toHaveBeenCalledTimes(1);
  });

  test('a stale delivery, a delivery without signature and an empty delivery are refused', async () => {
    const send = await start(quiet, vi.fn());
    const stale = signTestEvent('client.created', { flaw: 'TIMESTAMP_TOO_OLD' });
    expect(await send(stale.rawBody, stale.headers)).toMatchObject({
      status: 400,
      body: { code: 'TIMESTAMP_TOO_OLD' },
    });
    expect(await send('{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_MISSING' },
    });
    const { headers } = signTestEvent('client.created');
    expect(await send(undefined, headers)).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISMATCH' } });
  });

  test('a repeated signature header is refused', async () => {
    const send = await start(quiet, vi.fn());
    const { rawBody, headers, signature } = signTestEvent('client.created');
    expect(await send(rawBody, { ...headers, 'x-platform-signature': [signature, signature] })).toMatchObject({
      status: 400,
      body: { code: 'SIGNATURE_REPEATED' },
    });
  });

  test('a body over the limit is refused with 413, with and without Content-Length; one of the limit is read', async () => {
    const [exact, larger] = [1000, 1001].map((count) =>
      signTestEvent('client.created', { data: { name: 'x'.repeat(count) } }),
    );
    if (!exact || !larger) throw new Error('two deliveries');
    const send = await start({ ...quiet, maxBodyBytes: exact.rawBody.length }, vi.fn());
    for (const more of [{}, { 'transfer-encoding': 'chunked' }]) {
      expect(await send(exact.rawBody, { ...exact.headers, ...more })).toMatchObject({ status: 200 });
      const answer = { status: 413, body: { code: 'BODY_TOO_LARGE' } };
      expect(await send(larger.rawBody, { ...larger.headers, ...more })).toMatchObject(answer);
    }
  });

  test('a body with an unusual content type, or none, is read', async () => {
    const send = await start(quiet, vi.fn());
    const { rawBody, headers } = signTestEvent('client.created');
    expect(await send(rawBody, { ...headers, 'content-type': 'text/plain' })).toMatchObject({ status: 200 });
    expect(await send(rawBody, { ...headers, 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 200,
    });
  });

  test('a handler that throws causes a 500, and its error is reported but not shown', async () => {
    const onError = vi.fn();
    const failure = new Error('database password wrong');
    const send = await start({ ...quiet, onError }, () => Promise.reject(failure));
    const { rawBody, headers, event } = signTestEvent('client.created');
    const answer = await send(rawBody, headers);
    expect(answer).toMatchObject({ status: 500, body: { code: 'HANDLER_FAILED' } });
    expect(JSON.stringify(answer.body)).not.toContain('password');
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, event);
  });

  test('a duplicate gets 200 without a call of the handler; after a failure it is handled again', async () => {
    const handle = vi.fn<Handle>().mockRejectedValueOnce(new Error('first')).mockResolvedValue(undefined);
    const send = await start({ ...quiet, dedupe: createDedupe() }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    expect((await send(rawBody, headers)).status).toBe(500);
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true } });
    expect(await send(rawBody, headers)).toMatchObject({ status: 200, body: { received: true, duplicate: true } });
    expect(handle).toHaveBeenCalledTimes(2);
  });

  test('a duplicate gets 409 while the first delivery is being handled', async () => {
    let finish = (): void => undefined;
    let enter = (): void => undefined;
    const entered = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const handle = vi.fn<Handle>(() => {
      enter();
      return new Promise<void>((resolve) => {
        finish = resolve;
      });
    });
    const send = await start({ ...quiet, dedupe: createDedupe({ leaseSeconds: 30 }) }, handle);
    const { rawBody, headers } = signTestEvent('client.created');
    const first = send(rawBody, headers);
    await entered;
    const second = await send(rawBody, headers);
    expect(second).toMatchObject({ status: 409, body: { code: 'EVENT_IN_PROGRESS' } });
    expect(second.headers['retry-after']).toBe('30');
    finish();
    expect((await first).status).toBe(200);
    expect(handle).toHaveBeenCalledTimes(1);
  });
});

describe('failures around the handler', () => {
  const { rawBody, headers, event } = signTestEvent('client.created');
  const broken = { leaseSeconds: 1, claim: async () => ({ outcome: 'claimed', key: 'k', token: 't' }) as const };
  const down = () => Promise.reject(new Error('store down'));

  test('a store that fails before the handler causes a 500, and the handler is not called', async () => {
    const handle = vi.fn();
    const send = await startFetch(
      webhookHandler(
        { ...quiet, dedupe: { ...broken, claim: down, complete: down, release: down, forget: down } },
        handle,
      ),
    );
    expect(await send(rawBody, headers)).toMatchObject({ status: 500, body: { code: 'RECEIVER_FAILED' } });
    expect(handle).not.toHaveBeenCalled();
  });

  test('a store that fails after the handler does not change the response, and is reported', async () => {
    const onError = vi.fn();
    const dedupe = { ...broken, complete: down, release: down, forget: down };
    const send = await startFetch(webhookHandler({ ...quiet, onError, dedupe }, () => undefined));
    expect((await send(rawBody, headers)).status).toBe(200);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'store down' }), event);
    const failing = await startFetch(
      webhookHandler({ ...quiet, onError, dedupe }, () => Promise.reject(new Error('mine'))),
    );
    expect(await failing(rawBody, headers)).toMatchObject({ status: 500, body: { code: 'HANDLER_FAILED' } });
  });

  test('without onError, failures are written to the console and refusals are not', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    closing.push(() => logged.mockRestore());
    const send = await startFetch(webhookHandler({ secrets: TEST_SECRET }, () => Promise.reject(new Error('mine'))));
    await send(rawBody, {});
    expect(logged).not.toHaveBeenCalled();
    await send(rawBody, headers);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'mine' }));
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('log down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('log down'))],
  ])('a log that %s does not change the response, and does not end the process', async (_, onError) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    closing.push(() => logged.mockRestore());
    const send = await startFetch(webhookHandler({ secrets: TEST_SECRET, onError }, vi.fn()));
    expect(await send(rawBody, {})).toMatchObject({ status: 400, body: { code: 'SIGNATURE_MISSING' } });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'log down' }));
  });

  test('a wrong configuration is reported when the adapter is created', () => {
    const makers = [
      expressWebhook,
      fastifyWebhook,
      honoWebhook,
      nextWebhook,
      webhookHandler,
      lambdaWebhook,
      azureWebhook,
    ];
    for (const make of makers) {
      for (const options of [
        { secrets: '' },
        { secrets: 'x', maxBodyBytes: 0 },
        { secrets: 'x', onError: 'log' },
        { secrets: 'x', dedupe: { claim: vi.fn() } },
      ]) {
        expect(() => Reflect.apply(make, undefined, [options, vi.fn()])).toThrow(WebhookConfigurationError);
      }
      expect(() => Reflect.apply(make, undefined, [{ secrets: 'x' }])).toThrow(WebhookConfigurationError);
    }
  });

  test('while `next build` imports a route, its secret may be missing', () => {
    vi.stubEnv('NEXT_PHASE', 'phase-production-build');
    closing.push(() => vi.unstubAllEnvs());
    expect(() => nextWebhook({ secrets: '' }, vi.fn())).not.toThrow();
    expect(() => webhookHandler({ secrets: '' }, vi.fn())).toThrow(WebhookConfigurationError);
  });
});

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
        body: { code: 'BODY_NOT_RAW', message: expect.stringMatching(/before app\.use\(express\.json\(\)\)/) },
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
    closing.push(() => app.close());
    await app.register(fastifyWebhook({ ...quiet, path: '/hooks' }, vi.fn()));
    app.post('/echo', (request) => request.body);
    const echoed = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } });
    expect(echoed.json()).toEqual({ a: 1 });
    const received = await app.inject({ method: 'POST', url: '/hooks', payload: Buffer.from(rawBody), headers });
    expect(received.json()).toEqual({ received: true });
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
      closing.push(() => server.close());
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
    closing.push(() => logged.mockRestore());
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
