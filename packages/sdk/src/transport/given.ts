import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { type FetchFunction, fetchTransport } from './fetch.ts';
import type { Transport } from './transport.ts';

/** The options that replace the built-in transports. */
interface Given {
  readonly transport?: Transport | undefined;
  readonly fetch?: FetchFunction | undefined;
}

/**
 * Returns the transport from the options, if there is one.
 * @throws {@link InvalidArgumentError} if both options are given, or if one of them is invalid
 */
export function givenTransport({ transport, fetch }: Given): Transport | undefined {
  if (transport !== undefined && fetch !== undefined) {
    throw new InvalidArgumentError('transport', 'and fetch exclude each other; give one of the two');
  }
  if (transport !== undefined && typeof transport?.send !== 'function') {
    throw new InvalidArgumentError('transport', 'must be an object with a method send');
  }
  if (fetch === undefined) return transport;
  if (typeof fetch !== 'function') throw new InvalidArgumentError('fetch', 'must be a function');
  return fetchTransport(fetch);
}
