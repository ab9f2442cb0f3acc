import { createServer, request as httpRequest, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { AUDIENCE, createSigningKey, ISSUER, jwksOf, mint, now } from '../issuer.fixture.ts';

export const key = createSigningKey('key_1');
export const token = mint(key);
export const FORM = 'application/x-www-form-urlencoded';

/** Options of an adapter that accepts {@link token}. */
export const base = {
  issuer: ISSUER,
  audience: AUDIENCE,
  fetch: async (): Promise<Response> => new Response(jwksOf(key), { headers: { 'content-type': 'application/json' } }),
  now,
};

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** Posts a body to `/launch`. */
export type Post = (
  body: string | Uint8Array | undefined,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answered>;

/** Returns the form of a launch. */
export function form(value: string): string {
  return new URLSearchParams({ launch_token: value }).toString();
}

/** Starts a server on a free local port for the duration of a test. */
export async function listen(listener: RequestListener): Promise<Server> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return server;
}

export function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** Posts with node:http, which sends exactly the given headers and body. */
export function viaHttp(server: Server): Post {
  return (body, headers = { 'content-type': FORM }) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        { host: '127.0.0.1', port: portOf(server), path: '/launch', method: 'POST', headers, agent: false },
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

/** Passes a `Request` to the handler. */
export function viaFetch(handle: (request: Request) => Response | Promise<Response>): Post {
  return async (body, headers = { 'content-type': FORM }) => {
    const init = { method: 'POST', headers, ...(body === undefined ? {} : { body: Buffer.from(body) }) };
    const response = await handle(new Request('http://localhost/launch', init));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: parsed(await response.text()),
    };
  };
}

function parsed(text: string): unknown {
  return text.startsWith('{') ? JSON.parse(text) : text;
}
