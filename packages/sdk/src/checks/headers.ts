import { IDEMPOTENCY_KEY_LIMITS } from '@plat/contract';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { isVisibleAscii } from './visible-ascii.ts';

/** Headers that the client sets itself. For those that a caller may want to change there is an option. */
const OWN = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'transfer-encoding',
  'user-agent',
]);

/**
 * Checks headers and returns them with lower-case names.
 * @throws {@link InvalidArgumentError} for a name or value that could end its header line, and for a header that the
 * client sets itself. The message does not repeat the value
 */
export function checkHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  // `Object.entries` returns nothing for a `Headers` or a `Map`.
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) {
    throw new InvalidArgumentError('headers', "must be an object of names and values, for example { 'x-team': 'a' }");
  }
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name))
      throw new InvalidArgumentError('headers', 'has an invalid header name');
    if (OWN.has(name)) throw new InvalidArgumentError('headers', `${name} is set by the client`);
    checkHeaderValue(`headers.${name}`, value);
    checked[name] = value;
  }
  return checked;
}

/** @throws {@link InvalidArgumentError} unless `value` is a string that fits into one header line */
export function checkHeaderValue(argument: string, value: unknown): asserts value is string {
  if (typeof value !== 'string' || !/^[\t\x20-\x7e]*$/.test(value)) {
    throw new InvalidArgumentError(argument, 'must be a string of printable ASCII, without line breaks');
  }
}

/** @throws {@link InvalidArgumentError} unless `key` is 1 to 255 visible ASCII characters */
export function checkIdempotencyKey(key: unknown): asserts key is string {
  if (!isVisibleAscii(key) || key.length > IDEMPOTENCY_KEY_LIMITS.max) {
    throw new InvalidArgumentError(
      'idempotencyKey',
      `must be 1 to ${IDEMPOTENCY_KEY_LIMITS.max} visible ASCII characters`,
    );
  }
}
