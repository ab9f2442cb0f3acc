import { nodeTransport } from './node.ts';
import type { Transport } from './transport.ts';

let shared: Transport | undefined;
let unshared: Transport | undefined;

/** Returns the default transport on Node: one for the process, so that clients share connections. */
export function defaultTransport(): Transport {
  shared ??= nodeTransport();
  return shared;
}

/**
 * Returns a transport with a new connection for each request, for requests that must not be sent twice. A server can
 * close an idle connection just when it is used, and then it is unknown whether the request arrived.
 */
export function freshConnections(): Transport {
  unshared ??= nodeTransport({ keepAlive: false });
  return unshared;
}
