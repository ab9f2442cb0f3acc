import { fetchTransport } from './fetch.ts';
import type { Transport } from './transport.ts';

let shared: Transport | undefined;

/** Returns the default transport outside of Node. */
export function defaultTransport(): Transport {
  shared ??= fetchTransport();
  return shared;
}

/** Returns the transport for requests that must not be sent twice. `fetch` has no option for a new connection. */
export function freshConnections(): Transport {
  return defaultTransport();
}
