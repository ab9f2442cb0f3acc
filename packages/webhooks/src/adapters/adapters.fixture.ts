import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { onTestFinished } from 'vitest';
import type { WebhookEvent } from '../index.ts';
import { TEST_SECRET } from '../testing.ts';
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
export type Handle = (event: WebhookEvent, context: { deliveryId: string | undefined }) => unknown;
type Send = (body: Uint8Array | string | undefined, headers: Record<string, string | string[]>) => Promise<Answered>;
interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

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

export async function listen(listener: RequestListener, path = '/hooks'): Promise<Send> {
  const server = createServer(listener);
  return await listening(server, path);
}

export async function listening(server: Server, path: string): Promise<Send> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return sender((server.address() as AddressInfo).port, path);
}

export async function startFetch(handler: (request: Request) => Promise<Response>): Promise<Send> {
  return async (body, headers) => {
    const list = Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each): [string, string] => [name, each]),
    );
    const init = { method: 'POST', headers: list, ...(body === undefined ? {} : { body: Buffer.from(body) }) };
    const response = await handler(new Request('http://localhost/hooks', init));
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.json() };
  };
}

export const adapters: Record<string, (options: Options, handle: Handle) => Promise<Send>> = {
  'Express, reading the body itself': (options, handle) =>
    listen(express().post('/hooks', expressWebhook(options, handle)).use(express.json())),
  'Express, behind express.raw': (options, handle) =>
    listen(express().post('/hooks', express.raw({ type: '*/*', limit: '10mb' }), expressWebhook(options, handle))),
  'node:http': (options, handle) => listen(expressWebhook(options, handle)),
  Fastify: async (options, handle) => {
    const app = fastify();
    await app.register(fastifyWebhook(options, handle), { prefix: '/hooks' });
    await app.listen({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => app.close());
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

export const quiet = { secrets: TEST_SECRET, onError: () => undefined };
