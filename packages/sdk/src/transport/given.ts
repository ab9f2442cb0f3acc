import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { type FetchFunction, fetchTransport } from './fetch.ts';
import type { Transport } from './transport.ts';

/** What carries requests in place of the built-in transports, in one of two forms. */
interface Given {
  readonly transport?: Transport | undefined;
  readonly fetch?: FetchFunction | undefined;
}

/**
 * The transport that a client was given, if any.
 * @throws {@link InvalidArgumentError} for both, and for what cannot carry anything
 */
export function givenTransport({ transport, fetch }: Given): Transport | undefined {
  if (transport !== undefined && fetch !== undefined) {
    throw new InvalidArgumentError('transport', 'and fetch exclude each other; give one of them');
  }
  if (transport !== undefined && typeof transport?.send !== 'function') {
    throw new InvalidArgumentError('transport', 'must be an object with a method send');
  }
  if (fetch === undefined) return transport;
  if (typeof fetch !== 'function') throw new InvalidArgumentError('fetch', 'must be a function');
  return fetchTransport(fetch);
}
