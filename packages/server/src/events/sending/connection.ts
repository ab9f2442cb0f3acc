import type { Socket } from 'node:net';
import { LIMITS } from '@plat/contract';

/** Data about a connection, recorded while it opens. */
export interface Connection {
  /** Removed by the request that the connection was opened for. */
  phases: ConnectionPhases;
  remoteAddress: string | null;
  /** The open socket. */
  socket: Socket | null;
  /** Number of received bytes, below TLS, beyond which the connection is closed. Each request raises it. */
  maxBytes: number;
}

/** Maximum number of bytes of a response on its socket: a body in chunks of one byte has six times its length. */
export const MAX_SOCKET_BYTES = 8 * LIMITS.webhook.responseBytes;

/**
 * Returns the number of bytes that a socket received. Node counts those of a TLS socket after decryption, and those below
 * on a handle that it does not document. Without that handle, the decrypted bytes count.
 */
export function receivedBytes(socket: Socket): number {
  const { _handle: handle } = socket as { readonly _handle?: { readonly _parent?: { readonly bytesRead?: number } } };
  return handle?._parent?.bytesRead ?? socket.bytesRead;
}

/** Duration of each phase, in ms; null until the phase has ended. */
export interface ConnectionPhases {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export function newConnection(): Connection {
  return { phases: noPhases(), remoteAddress: null, socket: null, maxBytes: MAX_SOCKET_BYTES };
}

/** Returns and removes the phases. Later requests use the open connection and did not wait for it. */
export function takePhases(connection: Connection): ConnectionPhases {
  const { phases } = connection;
  connection.phases = noPhases();
  return phases;
}

export const noPhases = (): ConnectionPhases => ({ dnsMs: null, connectMs: null, tlsMs: null });
