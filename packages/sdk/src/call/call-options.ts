import type { OptionNames } from '@plat/contract';
import { checkOptionNames } from '../checks/options.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** Options of one call. Absent options are those of the client. */
export interface CallOptions {
  /** Aborts the call or list immediately with an {@link AbortedError}. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum duration of one attempt in milliseconds, up to the last byte of the response. */
  readonly timeout?: number | undefined;
  /** Maximum duration of the whole call in milliseconds, including all attempts and the waits between them. */
  readonly totalTimeout?: number | undefined;
  /** Maximum number of retries after a failed attempt. */
  readonly maxRetries?: number | undefined;
  /** Additional headers. Authorization, and headers that frame the message, cannot be set. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options of one POST call. */
export interface WriteOptions extends CallOptions {
  /**
   * The Idempotency-Key: 1 to 255 visible ASCII characters; a random UUID when absent. All attempts of a call use the
   * same key. Set your own key to repeat a call in another process without a second effect (for 24 hours).
   */
  readonly idempotencyKey?: string | undefined;
}

/** Names of the options of all calls. The types define which of them each call accepts. */
const OPTION_NAMES: OptionNames<WriteOptions & { readAhead: unknown }> = {
  signal: true,
  timeout: true,
  totalTimeout: true,
  maxRetries: true,
  headers: true,
  idempotencyKey: true,
  readAhead: true,
};

/** @throws {@link InvalidArgumentError} for an unknown option */
export function checkCallOptions(options: object): void {
  checkOptionNames('the options of a call', options, OPTION_NAMES);
}

/** @throws {@link InvalidArgumentError} unless `value` is a number of milliseconds above 0; Infinity means no limit */
export function checkTimeout(argument: string, value: unknown): number {
  if (typeof value === 'number' && value > 0) return value;
  throw new InvalidArgumentError(argument, 'must be a number of milliseconds above 0, or Infinity');
}

/** @throws {@link InvalidArgumentError} unless `value` is a whole number from 0 to 100 */
export function checkMaxRetries(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('maxRetries', 'must be a whole number from 0 to 100');
}

/** @throws {@link InvalidArgumentError} unless `value` is an AbortSignal or absent */
export function checkSignal(value: unknown): AbortSignal | undefined {
  if (value === undefined || value === null) return undefined;
  // A signal of another realm or of a polyfill is accepted.
  const isSignal = typeof value === 'object' && 'aborted' in value && 'addEventListener' in value;
  if (isSignal) return value as AbortSignal;
  throw new InvalidArgumentError(
    'signal',
    'must be an AbortSignal, for example controller.signal of an AbortController',
  );
}
