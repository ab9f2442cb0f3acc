import { fetchTransport } from './fetch.ts';
import type { Transport } from './transport.ts';

let shared: Transport | undefined;

/** The transport of clients that were given none, outside Node. */
export function defaultTransport(): Transport {
  shared ??= fetchTransport();
  return shared;
}

/** Where requests go that must not be sent twice. `fetch` knows no way to ask for a new connection. */
export function freshConnections(): Transport {
  return defaultTransport();
}
