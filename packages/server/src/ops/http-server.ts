import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS } from '@plat/contract';
import type { Express } from 'express';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { StartError } from './start-error.ts';

// An import would make Node load its own fetch, for the sake of one name among those of the module.
const { createServer } = process.getBuiltinModule('node:http');

/** Longer than the usual minute of load balancers, so that it is they who close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
/** For the head of a request, and for all of it, from its first byte. */
const REQUEST_MS = 60_000;
const CHECK_REQUESTS_MS = 5_000;
/** For requests that are on their way when the end is announced. */
const DRAIN_MS = 150;

export interface HttpServer {
  readonly port: number;
  /** Takes no new connections, lets requests under way end for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/** Where a server listens, and what one connection may cost it. */
export interface ListenOptions extends ConnectionLimits {
  readonly host: string;
  readonly port: number;
  /** The variable that the port is from; `PORT` when absent. */
  readonly setting?: string;
}

/** @throws {@link StartError} when the address cannot be listened on. */
export async function listen(
  app: Express,
  { host, port, setting = 'PORT', ...limits }: ListenOptions,
): Promise<HttpServer> {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_REQUESTS_MS,
    // Node's own refusal would have no body and no request id; the application refuses it.
    requireHostHeader: false,
  });
  const admit = limitConnections(server, limits);
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const admission = admit(req, res);
    if (admission === 'served') app(req, res);
    else if (admission === 'refused') refusePipelined(res);
  };
  server.on('request', serve);
  // Node would answer 417 without a body. An expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(new StartError(whyNot(error, host, port, setting))));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: (graceMs) => close(server, graceMs),
  };
}

/**
 * First everything goes on as before, but each answer closes its connection; then no new connections are taken.
 * Node's own `close` would at once cut connections on which a request is on its way but not read yet.
 */
async function close(server: Server, graceMs: number): Promise<void> {
  server.prependListener('request', (_req, res: ServerResponse) => {
    res.shouldKeepAlive = false;
  });
  await wait(Math.min(DRAIN_MS, graceMs));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

/** What is not HTTP gets an error body too; Node's own answer would be empty. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const refusal = new ApiError('INVALID_REQUEST', 'The request cannot be read as HTTP', {
    errors: [{ path: '', message: UNREADABLE[error.code ?? ''] ?? 'is not valid HTTP' }],
  });
  const body = JSON.stringify(refusal.toBody());
  const headers = { ...headersOf(body), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not sent in time',
};

/** The last response of a connection with too many requests in progress. */
function refusePipelined(res: ServerResponse): void {
  const message = 'Too many requests are in progress on this connection; wait for responses before you send more';
  const refusal = new ApiError('RATE_LIMITED', message);
  const body = JSON.stringify(refusal.toBody());
  res.writeHead(refusal.status, { ...headersOf(body), 'Retry-After': '1' }).end(body);
}

function headersOf(body: string) {
  return {
    [HEADERS.requestId]: newId('request'),
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
  };
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number, setting: string): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another one (0 for any free port)`;
  }
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: set ${setting} to one above 1023`;
  return `cannot listen on ${host}:${port} (${error.code ?? error.message})`;
}

/** Returns the address of a server on this host and port. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
