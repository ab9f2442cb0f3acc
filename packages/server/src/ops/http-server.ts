import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { HEADERS, LIMITS } from '@plat/contract';
import { stateOf } from '../auth/counter.ts';
import { prepareRefusal, sendRefusal } from '../http/prepared-refusal.ts';
import { rateLimited } from '../http/rate-limited.ts';
import { ApiError } from '../kernel/api-error.ts';
import { systemClock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { gauge, measureOnExport } from '../kernel/meter.ts';
import { type ConnectionLimits, limitConnections } from './connection-limits.ts';
import { StartError } from './start-error.ts';

// An import of node:http would make Node load its own fetch.
const { createServer } = process.getBuiltinModule('node:http');

/** Longer than the usual minute of load balancers, so that the load balancer closes idle connections. */
const KEEP_ALIVE_MS = 65_000;
/** Time limit for the headers of a request, and for the whole request, from its first byte. */
const REQUEST_MS = 60_000;
const CHECK_REQUESTS_MS = 5_000;
/** Time for requests that are in transit when the server starts to close. */
const DRAIN_MS = 150;

export interface HttpServer {
  readonly port: number;
  /** Accepts no new connection, waits at most `graceMs` for requests in progress, then closes all connections. */
  close(graceMs: number): Promise<void>;
}

/** Address of a server, and limits of its connections. */
export interface ListenOptions extends ConnectionLimits {
  readonly host: string;
  readonly port: number;
  /** Environment variable of the port; defaults to `PORT`. */
  readonly setting?: string;
  /** Environment variable of the host; defaults to `HOST`. */
  readonly hostSetting?: string;
  /** True for the API: its connections are measured. */
  readonly isMeasured?: boolean;
}

/** @throws {@link StartError} when the address cannot be bound */
export async function listen(
  app: RequestListener,
  { host, port, setting = 'PORT', hostSetting = 'HOST', isMeasured = false, ...limits }: ListenOptions,
): Promise<HttpServer> {
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: CHECK_REQUESTS_MS,
    // Node's own response would have no body and no request id; the application responds instead.
    requireHostHeader: false,
  });
  const admit = limitConnections(server, limits);
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    readAbsoluteTarget(req);
    const admission = admit(req, res);
    if (admission === 'served') app(req, res);
    else if (admission === 'refused') refusePipelined(res);
  };
  server.on('request', serve);
  // Node would answer 417 without a body. An expectation may be ignored (RFC 9110, section 10.1.1).
  server.on('checkExpectation', serve);
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartError(listenProblem(error, { host, port, setting, hostSetting }))),
    );
    server.listen(port, host, resolve);
  });
  if (isMeasured)
    server.once(
      'close',
      measureOnExport(() => countConnections(server)),
    );
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: (graceMs) => close(server, graceMs),
  };
}

/**
 * Replaces a target with a host, such as `http://host/v1/me`, by its path. Its host has priority over the header Host
 * (RFC 9112, section 3.2.2).
 */
function readAbsoluteTarget(req: IncomingMessage): void {
  const [, host, path = ''] = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)([^#]*)/i.exec(req.url ?? '') ?? [];
  if (host === undefined) return;
  req.url = path.startsWith('/') ? path : `/${path}`;
  if (req.headers.host !== undefined) req.headers.host = host;
}

function countConnections(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.getConnections((error, connections) => {
      if (!error) gauge('plat_http_connections', {}, connections);
      resolve();
    });
  });
}

/**
 * First, each response closes its connection; then no new connection is accepted. Node's own `close` would at once close
 * connections whose request is in transit.
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

/** Responds with an error body to data that is not HTTP; Node's own response would be empty. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const refusal = new ApiError('INVALID_REQUEST', 'The request cannot be read as HTTP', {
    errors: [{ path: '', message: UNREADABLE[error.code ?? ''] ?? 'is not valid HTTP' }],
  });
  const { headers, body } = prepareRefusal(refusal);
  const sent = { [HEADERS.requestId]: newId('request'), ...headers, Connection: 'close' };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'was not sent in time',
};

/** The last response of a connection with too many requests in progress. */
function refusePipelined(res: ServerResponse): void {
  const message = 'Too many requests are in progress on this connection; wait for responses before you send more';
  const { pipelined: limit } = LIMITS.connection;
  const refusal = rateLimited(message, stateOf({ limit, used: limit + 1, now: systemClock(), endsInMs: 1000 }));
  sendRefusal(res, prepareRefusal(refusal));
}

function listenProblem(
  error: NodeJS.ErrnoException,
  { host, port, setting, hostSetting }: Pick<Required<ListenOptions>, 'host' | 'port' | 'setting' | 'hostSetting'>,
): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another one (0 for any free port)`;
  }
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: set ${setting} to one above 1023`;
  const problem = `cannot listen on ${host}:${port} (${error.code ?? error.message})`;
  return `${problem}: set ${hostSetting} to an address of this machine, or to 0.0.0.0 for all of them`;
}
