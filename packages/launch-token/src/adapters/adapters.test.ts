import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import type { LaunchClaims, LaunchTokenError } from '../index.ts';
import { claims, mint, T } from '../issuer.fixture.ts';
import { base, FORM, form, key, listen, type Post, token, viaFetch, viaHttp } from './adapters.fixture.ts';
import { expressLaunch, launchOf } from './express.ts';
import { fastifyLaunch } from './fastify.ts';
import { honoLaunch, type LaunchVariables } from './hono.ts';
import type { AdapterOptions } from './options.ts';
import { launchHandler } from './web.ts';

type Options = AdapterOptions & { readonly fetch?: () => Promise<Response> };

const onExpress = (...before: express.RequestHandler[]) => {
  return async (options: Options): Promise<Post> =>
    viaHttp(
      await listen(
        express().post('/launch', ...before, expressLaunch({ ...base, ...options }), (request, response) => {
          expect(Reflect.get(request, 'launch')).toBe(launchOf(request));
          response.json(launchOf(request));
        }),
      ),
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
    onTestFinished(() => app.close());
    return viaHttp(app.server);
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
  const post = viaHttp(await listen(express().post('/launch', expressLaunch(base), fail).use(onError)));
  expect(await post(form(token))).toMatchObject({ status: 500, body: 'Error: the handler failed' });
  expect(onError).toHaveBeenCalledOnce();
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
