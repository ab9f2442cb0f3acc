import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { percentEncode } from './percent-encode.ts';

/** Values of a query parameter; undefined omits the parameter. */
export type QueryValue = string | number | boolean | undefined;

/**
 * Returns the query with its question mark, or an empty string.
 * @throws {@link InvalidArgumentError} for a value that has no form in a query. If it were omitted silently, a filter
 * that happens to be null would list everything
 */
export function encodeQuery(query: unknown, separator = '?'): string {
  if (query === undefined) return '';
  if (typeof query !== 'object' || query === null || Array.isArray(query)) {
    throw new InvalidArgumentError('query', 'must be an object');
  }
  let text = '';
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (!isQueryValue(value)) throw new InvalidArgumentError(name, 'must be a string, a finite number or a boolean');
    text += `${text ? '&' : separator}${percentEncode('query', name)}=${percentEncode(name, value)}`;
  }
  return text;
}

function isQueryValue(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}
