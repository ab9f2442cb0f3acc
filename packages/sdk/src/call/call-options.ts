import type { OptionNames } from '@plat/contract';
import { checkOptionNames } from '../checks/options.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Settings of one call; what is absent is taken from the client. */
export interface CallOptions {
  /** Ends the call or list at once, in whatever it is doing, with an {@link AbortedError}. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, up to the last byte of the answer. */
  readonly timeout?: number | undefined;
  /** Milliseconds that the whole call may take, with all attempts and the waits between them. */
  readonly totalTimeout?: number | undefined;
  /** How often a failed attempt is repeated. */
  readonly maxRetries?: number | undefined;
  /** Further headers. Authorization and what frames the message cannot be set. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Settings of one POST. */
export interface WriteOptions extends CallOptions {
  /**
   * The Idempotency-Key, 1 to 255 visible ASCII characters; a random UUID when absent. All attempts of a call have the
   * same key. Give your own to repeat a call in another process without doing its work twice (for 24 hours).
   */
  readonly idempotencyKey?: string | undefined;
}

/** Names of the settings of all calls; the types define which of them each call takes. */
const OPTION_NAMES: OptionNames<WriteOptions & { readAhead: unknown }> = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
  idempotencyKey: true,
  readAhead: true,
};

/** @throws {@link InvalidArgumentError} for a setting that no call has */
export function checkCallOptions(options: object): void {
  checkOptionNames('the options of a call', options, OPTION_NAMES);
}

/** @throws {@link InvalidArgumentError} unless `value` is a number of milliseconds above 0; Infinity is none */
export function checkTimeout(argument: string, value: unknown): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new InvalidArgumentError(argument, 'must be a number of milliseconds above 0, or Infinity');
}

/** @throws {@link InvalidArgumentError} unless `value` is a whole number from 0 to 100 */
export function checkMaxRetries(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('maxRetries', 'must be a whole number from 0 to 100');
}

/** @throws {@link InvalidArgumentError} unless `value` is a signal, or nothing */
export function checkSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || value === null) return undefined;
  // One of another realm, or of a polyfill, will do.
  const isSignal = typeof value === 'object' && 'aborted' in value && 'addEventListener' in value;
  if (isSignal) return value as AbortSignal;
  throw new InvalidArgumentError('signal', 'must be an AbortSignal; of an AbortController it is controller.signal');
}
