import type { Style } from '../terminal/style.ts';
import { cell, isObject, type JsonObject } from '../terminal/value.ts';
import { pad, width } from '../terminal/width.ts';

/** Returns an object as lines of name and value. Nested fields have a path: `data.name`. */
export function recordLines(object: JsonObject, style: Style): string[] {
  const rows = [...flatten(Object.entries(object), '')];
  const longest = Math.max(0, ...rows.map(([name]) => width(name)));
  return rows.map(([name, value]) => `${style.faint(pad(name, longest))}  ${value}`);
}

type Entry = readonly [name: string, value: unknown];

function* flatten(entries: readonly Entry[], prefix: string): Generator<readonly [name: string, value: string]> {
  for (const [name, value] of entries) {
    const path = prefix + cell(name);
    const inner = entriesOf(value);
    if (inner.length > 0) yield* flatten(inner, `${path}.`);
    else yield [path, cell(value)];
  }
}

/** Returns the entries that are shown line by line; empty for a value that fits in one line. */
function entriesOf(value: unknown): readonly Entry[] {
  if (isObject(value)) return Object.entries(value);
  if (!Array.isArray(value) || !value.some(isObject)) return [];
  // Headers already carry their names, and a name may repeat.
  if (value.every(isNamed)) return value.map(({ name, value }) => [name, value]);
  return Object.entries(value);
}

function isNamed(value: unknown): value is { readonly name: string; readonly value: string } {
  return (
    isObject(value) &&
    Object.keys(value).length === 2 &&
    typeof value['name'] === 'string' &&
    typeof value['value'] === 'string'
  );
}
