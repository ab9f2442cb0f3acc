import { InvalidArgumentError } from '../errors/usage-errors.ts';

/** `encodeURIComponent`. @throws {@link InvalidArgumentError} for half of a surrogate pair, which UTF-8 cannot say */
export function percentEncode(argument: string, value: string | number | boolean): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw new InvalidArgumentError(argument, 'holds half of a surrogate pair');
  }
}
