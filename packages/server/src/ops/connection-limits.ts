import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '@plat/contract';

export interface ConnectionLimits {
  /** A connection ends when its client takes no byte of a complete response for so many ms. */
  readonly writeTimeoutMs: number;
}

/** What a request may do on its connection. */
export type Admission = 'served' | 'refused' | 'ignored';

/** A client that takes a little of a response now and then has this many times the deadline for all of that response. */
const SLOW_READER_FACTOR = 10;

interface Connection {
  /** Responses in progress, in the order of their requests. */
  readonly open: Set<ServerResponse>;
  requests: number;
  /** Its last response was chosen: Node closes the connection after it, and what else was pipelined is ignored. */
  isClosing: boolean;
  /** The complete response that its client has not taken yet; null while there is none. */
  waiting: { readonly response: ServerResponse; readonly sinceMs: number } | null;
}

/**
 * Limits what one connection costs. Node keeps a response in memory until its client has taken it, however long that takes,
 * and begins all requests that a client has pipelined at once.
 */
export function limitConnections(
  server: Server,
  { writeTimeoutMs }: ConnectionLimits,
): (req: IncomingMessage, res: ServerResponse) => Admission {
  const connections = new Map<Socket, Connection>();
  const timer = setInterval(checkAll, Math.min(1_000, Math.max(20, writeTimeoutMs / 4))).unref();
  server.once('close', () => clearInterval(timer));
  server.on('timeout', (socket) => {
    // A reset: an orderly end would leave the rest of the response with the kernel.
    if (connections.get(socket)?.waiting == null) socket.destroy();
    else socket.resetAndDestroy();
  });

  return ({ socket }, res) => {
    const connection = connections.get(socket) ?? add(socket);
    if (connection.isClosing) return 'ignored';
    connection.requests++;
    const isTooMany = connection.open.size >= LIMITS.connection.pipelined;
    if (isTooMany || connection.requests >= LIMITS.connection.requests) {
      connection.isClosing = true;
      res.shouldKeepAlive = false;
    }
    connection.open.add(res);
    res.once('close', () => connection.open.delete(res));
    return isTooMany ? 'refused' : 'served';
  };

  function add(socket: Socket): Connection {
    const connection: Connection = { open: new Set(), requests: 0, isClosing: false, waiting: null };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  function checkAll(): void {
    const now = performance.now();
    for (const [socket, connection] of connections) check(socket, connection, now);
  }

  function check(socket: Socket, connection: Connection, now: number): void {
    // Responses go out in order: the first one is the one that is written.
    const [first] = connection.open;
    const isWaiting = first?.writableEnded === true && !first.writableFinished;
    if (!isWaiting) {
      // Node sets the keep-alive timeout when the last response has gone out; a handler that still works has none.
      if (connection.waiting && first) socket.setTimeout(0);
      connection.waiting = null;
    } else if (connection.waiting?.response !== first) {
      // Each response has a deadline of its own: a client that takes one after the other is not cut off.
      connection.waiting = { response: first, sinceMs: now };
      // Node's timer begins anew whenever the client has taken some of what is written.
      socket.setTimeout(writeTimeoutMs);
    } else if (now - connection.waiting.sinceMs > writeTimeoutMs * SLOW_READER_FACTOR) {
      socket.resetAndDestroy();
    }
  }
}
