import { nodeTransport } from './node.ts';
import type { Transport } from './transport.ts';

let shared: Transport | undefined;

/** The transport of clients that were given none, on Node: one for the process, so that they share connections. */
export function defaultTransport(): Transport {
  shared ??= nodeTransport();
  return shared;
}
