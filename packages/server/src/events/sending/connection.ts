/** What is known of a connection; filled in while it comes up. */
export interface Connection {
  /** Until they are taken by the request that the connection was made for. */
  phases: ConnectionPhases;
  remoteAddress: string | null;
}

/** How long each took, in ms; null before it has ended. */
export interface ConnectionPhases {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
}

export function newConnection(): Connection {
  return { phases: noPhases(), remoteAddress: null };
}

/** Those who come later meet an open connection: there is nothing of it that they waited for. */
export function takePhases(connection: Connection): ConnectionPhases {
  const { phases } = connection;
  connection.phases = noPhases();
  return phases;
}

export const noPhases = (): ConnectionPhases => ({ dnsMs: null, connectMs: null, tlsMs: null });
