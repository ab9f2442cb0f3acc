import { InvalidArgumentError } from '../errors/usage-errors.ts';

/**
 * Returns the body as JSON text.
 * @throws {@link InvalidArgumentError} for a body that is not an object or cannot be written as JSON
 */
export function encodeBody(body: unknown): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new InvalidArgumentError('body', 'must be an object');
  }
  try {
    return JSON.stringify(body);
  } catch (error) {
    throw new InvalidArgumentError('body', error instanceof Error ? error.message : 'cannot be written as JSON');
  }
}
