import type { Socket } from 'node:net';

/** Data about a connection, recorded while it opens. */
export interface Connection {
  /** Removed by the request that the connection was opened for. */
  phases: ConnectionPhases;
  remoteAddress: string | null;
  /** The open socket. */
  socket: Socket | null;
}

/** Duration of each phase, in ms; null until the phase has ended. */
export interface ConnectionPhases {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export function newConnection(): Connection {
  return { phases: noPhases(), remoteAddress: null, socket: null };
}

/** Returns and removes the phases. Later requests use the open connection and did not wait for it. */
export function takePhases(connection: Connection): ConnectionPhases {
  const { phases } = connection;
  connection.phases = noPhases();
  return phases;
}

export const noPhases = (): ConnectionPhases => ({ dnsMs: null, connectMs: null, tlsMs: null });
