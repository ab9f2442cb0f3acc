import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import type { LaunchClaims, LaunchTokenError } from '../index.ts';
import { AUDIENCE, claims, createSigningKey, ISSUER, jwksOf, mint, now, T } from '../issuer.fixture.ts';
import { expressLaunch, launchOf } from './express.ts';
import { fastifyLaunch } from './fastify.ts';
import { honoLaunch, type LaunchVariables } from './hono.ts';
import type { AdapterOptions } from './options.ts';
import { launchHandler } from './web.ts';

const key = createSigningKey('key_1');
const token = mint(key);
const fetchKeys = async (): Promise<Response> =>
  new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } });
const FORM = 'application/x-www-form-urlencoded';
const base = { issuer: ISSUER, audience: AUDIENCE, fetch: fetchKeys, now };
type Options = AdapterOptions & { readonly fetch?: () => Promise<Response> };
interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}
type Post = (body: string | Uint8Array | undefined, headers?: Readonly<Record<string, string>>) => Promise<Answered>;

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Posts with node:http, which sends exactly the given headers and body. */
function poster(port: number): Post {
  return (body, headers = { 'content-type': FORM }) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        { host: '127.0.0.1', port, path: '/launch', method: 'POST', headers, agent: false },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parsed(text) }),
          );
        },
      );
      sent.on('error', reject);
      sent.end(body);
    });
}

async function listen(listener: RequestListener): Promise<Post> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return poster((server.address() as AddressInfo).port);
}

const viaFetch =
  (handle: (request: Request) => Response | Promise<Response>): Post =>
  async (body, headers = { 'content-type': FORM }) => {
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) };
    const response = await handle(new Request('http://localhost/launch', init));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: parsed(await response.text()),
    };
  };

const parsed = (text: string): unknown => (text.startsWith('{') ? JSON.parse(text) : text);

const onExpress = (...before: express.RequestHandler[]) => {
  return (options: Options): Promise<Post> =>
    listen(
      express().post('/launch', ...before, expressLaunch({ ...base, ...options }), (request, response) => {
        expect(Reflect.get(request, 'launch')).toBe(launchOf(request));
        response.json(launchOf(request));
      }),
    );
};

const adapters: Record<string, (options: Options) => Promise<Post>> = {
  'Express, reading the form itself': onExpress(),
  'Express, behind express.json': onExpress(express.json()),
  'Express, behind express.urlencoded': onExpress(express.urlencoded({ limit: '1mb' })),
  'Express, behind express.urlencoded extended': onExpress(express.urlencoded({ limit: '1mb', extended: true })),
  'Express, behind express.text': onExpress(express.text({ type: '*/*', limit: '1mb' })),
  'Express, behind express.raw': onExpress(express.raw({ type: '*/*', limit: '1mb' })),
  Fastify: async (options) => {
    const app = fastify();
    const launch = fastifyLaunch({ ...base, ...options }, (request, reply) => {
      expect(Reflect.get(request, 'launch')).toBe(launchOf(request));
      return reply.send(launchOf(request));
    });
    await app.register(launch, { prefix: '/launch' });
    await app.listen({ host: '127.0.0.1', port: 0 });
    closing.push(() => app.close());
    return poster((app.server.address() as AddressInfo).port);
  },
  Hono: async (options) =>
    viaFetch(
      new Hono<{ Variables: LaunchVariables }>().post('/launch', honoLaunch({ ...base, ...options }), (context) => {
        expectTypeOf(context.get('launch')).toEqualTypeOf<LaunchClaims>();
        expect(context.get('launch')).toBe(launchOf(context));
        return context.json(context.get('launch'));
      }).fetch,
    ),
  'Hono, behind a reader of text': async (options) =>
    viaFetch(
      new Hono()
        .use(async (context, next) => {
          await context.req.text();
          await next();
        })
        .post('/launch', honoLaunch({ ...base, ...options }), (context) => context.json(launchOf(context))).fetch,
    ),
  Request: async (options) =>
    viaFetch(
      launchHandler({ ...base, ...options }, (said, request) => {
        expect(launchOf(request)).toBe(said);
        return Response.json(said);
      }),
    ),
};

const form = (value: string): string => new URLSearchParams({ launch_token: value }).toString();

describe.each(Object.entries(adapters))('%s', (name, start) => {
  const parsesItself = name.includes('urlencoded');

  test('accepts a launch and passes its claims', async () => {
    const post = await start({ entitlement: 'analytics.view' });
    expect(await post(form(token))).toMatchObject({ status: 200, body: claims() });
    expect(await post(`state=x&${form(token)}&other=1`, { 'content-type': `${FORM}; charset=utf-8` })).toMatchObject({
      status: 200,
    });
  });

  test('answers an invalid token with 401 INVALID_TOKEN, and reports the reason to onError', async () => {
    const onError = vi.fn();
    const post = await start({ onError });
    const answer = await post(form(mint(key, { claims: claims({ iat: T - 900, exp: T - 60 }) })));
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'INVALID_TOKEN', message: 'The launch token has expired.' },
      headers: { 'cache-control': 'no-store', 'content-type': expect.stringMatching(/^application\/json/) },
    });
    expect(Object.keys(answer.body as object)).toEqual(['code', 'message']);
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'TOKEN_EXPIRED', hint: expect.stringMatching(/60 s/) }),
    );
  });

  test('answers a launch without the capability with 403 NOT_ENTITLED', async () => {
    const post = await start({ entitlement: 'billing.view' });
    const { status, body } = await post(form(token));
    expect([status, body]).toEqual([403, { code: 'NOT_ENTITLED', message: expect.not.stringContaining('billing') }]);
  });

  test.each<[string, string | Uint8Array | undefined, Record<string, string>?]>([
    ['no body', undefined],
    ['an empty form', ''],
    ['another field', 'token=x'],
    ['an empty field', 'launch_token='],
    ['a field in brackets', 'launch_token[a]=x'],
    ['JSON', JSON.stringify({ launch_token: token }), { 'content-type': 'application/json' }],
    ['a form that says it is text', form(token), { 'content-type': 'text/plain' }],
    ['a form without a type', form(token), {}],
    ['a form of another kind', form(token), { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a form of a kind much alike', form(token), { 'content-type': `${FORM}2` }],
    ['bytes', Uint8Array.of(0xff, 0x00, 0x26)],
  ])('answers %s with 401 INVALID_TOKEN', async (_, body, headers) => {
    const onError = vi.fn();
    const post = await start({ onError });
    expect(await post(body, headers)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    expect(onError.mock.lastCall).toEqual([expect.objectContaining({ code: 'TOKEN_MISSING' })]);
  });

  test('answers two tokens with 401, even if both are valid', async () => {
    const onError = vi.fn();
    const post = await start({ onError });
    expect(await post(`${form(token)}&${form(token)}`)).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
    expect(onError.mock.lastCall).toEqual([expect.objectContaining({ code: 'TOKEN_REPEATED' })]);
  });

  test('answers a form over the limit with 413, and reads a form of exactly the limit', async () => {
    // A parser that ran before has its own limit.
    if (parsesItself) return;
    const post = await start({ maxBodyBytes: form(token).length + 10 });
    expect(await post(`${form(token)}&a=${'b'.repeat(7)}`)).toMatchObject({ status: 200 });
    const answer = await post(`${form(token)}&a=${'b'.repeat(8)}`);
    expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(await (await start({}))(`launch_token=${'a'.repeat(500_000)}`)).toMatchObject({ status: 413 });
  });

  test('answers with 503 and Retry-After while there are no keys, and writes the failure to the console', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const post = await start({ fetch: () => Promise.reject(new Error('away')) });
      expect(await post(form(token))).toMatchObject({
        status: 503,
        body: { code: 'SERVICE_UNAVAILABLE' },
        headers: { 'retry-after': '5' },
      });
      expect(error).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'KEYS_UNAVAILABLE' }));
      expect(await post('')).toMatchObject({ status: 401 });
      expect(error).toHaveBeenCalledOnce();
    } finally {
      error.mockRestore();
    }
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('log down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('log down'))],
  ])('sends the same response when onError %s', async (_, onError) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const post = await start({ onError });
      expect(await post(form('no.token.here'))).toMatchObject({ status: 401, body: { code: 'INVALID_TOKEN' } });
      expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'log down' }));
    } finally {
      logged.mockRestore();
    }
  });

  test('refuses invalid options at its creation', async () => {
    for (const wrong of [
      { entitlement: '' },
      { maxBodyBytes: 0 },
      { maxBodyBytes: 1.5 },
      { onError: 'log' },
      { audience: '' },
    ]) {
      const code = await Promise.resolve()
        .then(() => start(wrong as Options))
        .then(
          () => 'made',
          (error: LaunchTokenError) => error.code,
        );
      expect(code).toBe('OPTION_INVALID');
    }
  });
});

test('an invalid handler is refused at creation', () => {
  expect(() => Reflect.apply(launchHandler, undefined, [base])).toThrow('function that answers a launch');
});

test('while `next build` imports a route, its issuer may be missing', async () => {
  vi.stubEnv('NEXT_PHASE', 'phase-production-build');
  closing.push(() => vi.unstubAllEnvs());
  const route = launchHandler({ ...base, issuer: '' }, () => new Response());
  vi.unstubAllEnvs();
  const launch = new Request('http://127.0.0.1/launch', { method: 'POST', body: new URLSearchParams() });
  await expect(route(launch)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(() => launchHandler({ ...base, issuer: '' }, () => new Response())).toThrow('issuer');
});

test('a form without a length is cut off at the limit, before all of it has arrived', async () => {
  const server = createServer(express().post('/launch', expressLaunch({ ...base, onError: () => undefined })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: '127.0.0.1', port, path: '/launch', method: 'POST', headers: { 'content-type': FORM } },
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
    .use(((error: unknown, _request, response, _next) => {
      failed(String(error));
      response.destroy();
    }) as express.ErrorRequestHandler);
  const server = createServer(post);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    path: '/launch',
    method: 'POST',
    headers: { 'content-type': FORM, 'content-length': 100 },
  });
  sent.on('error', () => undefined);
  sent.write('launch_token=');
  await new Promise((resolve) => server.once('request', resolve));
  sent.destroy();
  await expect.poll(() => failed.mock.calls).toEqual([[expect.stringMatching(/Error/)]]);
});

test('a request that was closed before the adapter ran goes to the error handler', async () => {
  const adapter = expressLaunch(base);
  const error = await new Promise((resolve) => {
    const server = createServer((request, response) => {
      // Middleware that waits, for example for a rate limit.
      request.on('close', () => setImmediate(() => void adapter(request, response, resolve)));
    });
    closing.push(() => server.close());
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      const headers = { 'content-type': FORM, 'content-length': 100 };
      const sent = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers });
      sent.on('error', () => undefined);
      sent.write('launch_token=');
      server.once('request', () => sent.destroy());
    });
  });
  expect(String(error)).toContain('closed');
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

test('an error of the handler after the adapter is not treated as a refusal', async () => {
  const fail = (): never => {
    throw new Error('the handler failed');
  };
  await expect(viaFetch(launchHandler(base, fail))(form(token))).rejects.toThrow('the handler failed');
  const hono = new Hono()
    .post('/launch', honoLaunch(base), fail)
    .onError((error, context) => context.text(error.message, 500));
  expect(await viaFetch(hono.fetch)(form(token))).toMatchObject({ status: 500, body: 'the handler failed' });
  const onError = vi.fn(
    ((error: unknown, _request, response, _next) =>
      void response.status(500).send(String(error))) as express.ErrorRequestHandler,
  );
  const post = await listen(express().post('/launch', expressLaunch(base), fail).use(onError));
  expect(await post(form(token))).toMatchObject({ status: 500, body: 'Error: the handler failed' });
  expect(onError).toHaveBeenCalledOnce();
});

const READERS = ['formData', 'parseBody', 'text', 'arrayBuffer', 'bytes'] as const;

test.each(READERS)('in Hono a form that middleware read by %s is read from the Hono cache', async (read) => {
  const app = new Hono()
    .use(async (context, next) => {
      await context.req[read]();
      await next();
    })
    .post('/launch', honoLaunch({ ...base, onError: () => undefined }), (context) => context.json(launchOf(context)));
  expect(await viaFetch(app.fetch)(form(token))).toMatchObject({ status: 200, body: claims() });
  expect(await viaFetch(app.fetch)(`${form(token)}&${form(token)}`)).toMatchObject({ status: 401 });
});

test('a request whose body was consumed and not cached is refused', async () => {
  const handle = launchHandler({ ...base, onError: () => undefined }, () => new Response());
  const request = new Request('http://localhost/launch', {
    method: 'POST',
    headers: { 'content-type': FORM },
    body: form(token),
  });
  await request.text();
  expect((await handle(request)).status).toBe(401);
  const emptied = await onExpress((request_, _, next) => request_.resume().on('end', () => next()))({
    onError: () => undefined,
  });
  expect(await emptied(form(token))).toMatchObject({ status: 401 });
});

test('launchOf throws if no adapter ran', () => {
  expect(() => launchOf({ launch: claims() })).toThrow(TypeError);
});
