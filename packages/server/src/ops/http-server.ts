import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ErrorCode } from '@plat/contract';
import type { Express } from 'express';
import { ApiError } from '../kernel/api-error.ts';
import { newId } from '../kernel/ids.ts';
import { StartError } from './start-error.ts';

// An import would make Node load its own fetch, for the sake of one name among those of the module.
const { createServer } = process.getBuiltinModule('node:http');

/** Longer than the usual minute of load balancers, so that it is they who close an idle connection. */
const KEEP_ALIVE_MS = 65_000;
/** For requests that are on their way when the end is announced. */
const DRAIN_MS = 150;

export interface HttpServer {
  readonly port: number;
  /** Takes no new connections, lets requests under way end for at most `graceMs`, then cuts what is left. */
  close(graceMs: number): Promise<void>;
}

/**
 * @param setting the variable that the port is from
 * @throws {@link StartError} when the address cannot be listened on.
 */
export async function listen(app: Express, host: string, port: number, setting = 'PORT'): Promise<HttpServer> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, app);
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
  const code: ErrorCode = 'INVALID_REQUEST';
  const refusal = new ApiError(code, 'The request cannot be read as HTTP', {
    errors: [
      { path: '', message: error.code === 'HPE_HEADER_OVERFLOW' ? 'the headers are too large' : 'is not valid HTTP' },
    ],
  });
  const body = JSON.stringify(refusal.toBody());
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nX-Request-Id: ${newId('request')}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

function whyNot(error: NodeJS.ErrnoException, host: string, port: number, setting: string): string {
  if (error.code === 'EADDRINUSE') {
    return `port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another one (0 for any free port)`;
  }
  if (error.code === 'EACCES') return `not allowed to listen on port ${port}: set ${setting} to one above 1023`;
  return `cannot listen on ${host}:${port} (${error.code ?? error.message})`;
}
