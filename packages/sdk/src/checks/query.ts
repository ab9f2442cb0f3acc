import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { percentEncode } from './percent-encode.ts';

/** Values that a query parameter can have; undefined leaves it out. */
export type QueryValue = string | number | boolean | undefined;

/**
 * The query with its question mark, or nothing.
 * @throws {@link InvalidArgumentError} for a value that has no form in a query; left out silently, a filter that
 * happens to be null would list everything
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
