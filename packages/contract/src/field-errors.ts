import type { FieldError } from './errors.ts';
import { LIMITS } from './limits.ts';

/** The errors of a response within its limits: at most 50, short ones, and not more text than a page. At least one stays. */
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

/** The text, cut with `…` to at most so many characters. Never ends in half of a surrogate pair. */
export function shorten(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
