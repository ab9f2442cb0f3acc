import { InvalidArgumentError } from '../errors/usage-errors.ts';

/**
 * `encodeURIComponent`. @throws {@link InvalidArgumentError} for an unpaired surrogate, which UTF-8 cannot represent
 */
export function percentEncode(argument: string, value: string | number | boolean): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgumentError(argument, 'contains an unpaired surrogate');
  }
}
