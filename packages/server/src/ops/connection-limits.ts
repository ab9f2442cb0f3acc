import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { LIMITS } from '@plat/contract';

export interface ConnectionLimits {
  /** A connection is closed when its client reads no byte of a complete response for this long, in ms. */
  readonly writeTimeoutMs: number;
}

/** The admission of a request on its connection. */
export type Admission = 'served' | 'refused' | 'ignored';

/** A client that reads a response slowly has this many times the deadline for the whole response. */
const SLOW_READER_FACTOR = 10;

interface Connection {
  /** Responses in progress, in the order of their requests. */
  readonly open: Set<ServerResponse>;
  requests: number;
  /** The last response is determined: Node closes the connection after it and ignores further pipelined requests. */
  isClosing: boolean;
  /** The complete response that the client has not read yet. */
  waiting: { readonly response: ServerResponse; readonly sinceMs: number } | null;
}

/**
 * Limits the cost of one connection. Without it, Node keeps a response in memory until its client has read it, without a
 * time limit, and starts all pipelined requests at once.
 */
export function limitConnections(
  server: Server,
  { writeTimeoutMs }: ConnectionLimits,
): (req: IncomingMessage, res: ServerResponse) => Admission {
  const connections = new Map<Socket, Connection>();
  const timer = setInterval(checkAll, Math.min(1_000, Math.max(20, writeTimeoutMs / 4))).unref();
  server.once('close', () => clearInterval(timer));
  server.on('timeout', (socket) => {
    // A reset: after an orderly end, the kernel would keep the rest of the response.
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
    // Responses are sent in order: the first one is being written.
    const [first] = connection.open;
    const isWaiting = first?.writableEnded === true && !first.writableFinished;
    if (!isWaiting) {
      // Node sets the keep-alive timeout after the last response; a running handler has none.
      if (connection.waiting && first) socket.setTimeout(0);
      connection.waiting = null;
    } else if (connection.waiting?.response !== first) {
      // Each response has its own deadline, so that a client that reads them in turn is not cut off.
      connection.waiting = { response: first, sinceMs: now };
      // Node's timer restarts whenever the client has read some bytes.
      socket.setTimeout(writeTimeoutMs);
    } else if (now - connection.waiting.sinceMs > writeTimeoutMs * SLOW_READER_FACTOR) {
      socket.resetAndDestroy();
    }
  }
}
