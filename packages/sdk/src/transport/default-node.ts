import { nodeTransport } from './node.ts';
import type { Transport } from './transport.ts';

let shared: Transport | undefined;
let unshared: Transport | undefined;

/** The transport of clients that were given none, on Node: one for the process, so that they share connections. */
export function defaultTransport(): Transport {
  shared ??= nodeTransport();
  return shared;
}

/**
 * A transport that connects anew for each request. What must not be sent twice goes this way: a connection that was idle
 * may be closed by the server just when it is used, and then nobody knows whether the request arrived.
 */
export function freshConnections(): Transport {
  unshared ??= nodeTransport({ keepAlive: false });
  return unshared;
}
