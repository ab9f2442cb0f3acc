import type { FieldError } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * Cuts field errors to the limits of a response: at most 50 errors, short texts, a limited total. At least one error
 * remains.
 */
export function boundFieldErrors(errors: readonly FieldError[]): readonly FieldError[] {
  const { max, path, message, total } = LIMITS.fieldErrors;
  const bounded: FieldError[] = [];
  let characters = 0;
  for (const error of errors) {
    const short = { path: shorten(error.path, path), message: shorten(error.message, message) };
    characters += short.path.length + short.message.length;
    if (bounded.length === max || (bounded.length > 0 && characters > total)) break;
    bounded.push(short);
  }
  return bounded;
}

/** Cuts the text to at most `max` characters, the last one being `…`. Never splits a surrogate pair. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
