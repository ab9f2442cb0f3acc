import { nodeTransport } from './node.ts';
import type { Transport } from './transport.ts';

export { defaultTransport } from './default-fetch.ts';

let unshared: Transport | undefined;

/**
 * Returns a transport with a new connection for each request, for requests that must not be sent twice. Deno's `fetch`
 * repeats a POST by itself when a kept connection is closed, and has no option for a new one.
 */
export function freshConnections(): Transport {
  unshared ??= nodeTransport({ keepAlive: false });
  return unshared;
}
