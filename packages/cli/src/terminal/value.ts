import { printable } from './printable.ts';

/** A JSON object. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object (not an array). */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the items of a list response; null for any other response. */
export function itemsOf(answer: unknown): readonly JsonObject[] | null {
  if (!isObject(answer) || answer['object'] !== 'list' || !Array.isArray(answer['data'])) return null;
  return answer['data'].filter(isObject);
}

/** Returns the value at a path: `actor.id`. */
export function valueAt(object: JsonObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
      object,
    );
}

/** Returns a JSON value on one line of a terminal; null is a dash. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(cell).join(', ');
  return printable(JSON.stringify(value));
}
