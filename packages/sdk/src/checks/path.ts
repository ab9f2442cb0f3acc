import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { percentEncode } from './percent-encode.ts';

/**
 * Encodes a path parameter as one path segment.
 * @throws {@link InvalidArgumentError} unless it is a string that stays on its route: an empty one would reach the list
 * instead of the object, and `.` and `..` would be resolved
 */
export function encodeSegment(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new InvalidArgumentError(name, `must be a string, not ${kindOf(value)}`);
  if (PLAIN.test(value)) return value;
  if (value.trim() === '') throw new InvalidArgumentError(name, 'must not be empty');
  if (value === '.' || value === '..') throw new InvalidArgumentError(name, `must not be "${value}"`);
  return percentEncode(name, value);
}

/**
 * Checks the path of `request`, which may include a query.
 * @throws {@link InvalidArgumentError} unless it is an encoded path relative to the base URL
 */
export function checkPath(path: unknown): string {
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new InvalidArgumentError('path', 'must begin with a slash, for example /v1/me');
  }
  if (!/^[\x21-\x7e]+$/.test(path)) throw new InvalidArgumentError('path', 'must be percent-encoded ASCII');
  const [segments = ''] = path.split('?', 1);
  if (/[\\#]/.test(path)) throw new InvalidArgumentError('path', 'must not contain a backslash or a fragment');
  if (segments.includes('//')) throw new InvalidArgumentError('path', 'must not have an empty segment');
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(segments)) {
    throw new InvalidArgumentError('path', 'must not have a segment of only dots');
  }
  return path;
}

/** Characters of the ids of the service, which need no encoding. */
const PLAIN = /^[A-Za-z0-9_-]+$/;

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
}
