import type { Style } from './style.ts';
import { cell, isObject, type JsonObject } from './value.ts';
import { pad, width } from './width.ts';

/** An object as lines of name and value. What is nested goes by its path: `data.name`. */
export function recordLines(object: JsonObject, style: Style): string[] {
  const rows = [...flatten(object, '')];
  const longest = Math.max(0, ...rows.map(([name]) => width(name)));
  return rows.map(([name, value]) => `${style.faint(pad(name, longest))}  ${value}`);
}

function* flatten(object: JsonObject, prefix: string): Generator<readonly [name: string, value: string]> {
  for (const [name, value] of Object.entries(object)) {
    const path = prefix + cell(name);
    if (isObject(value) && Object.keys(value).length > 0) yield* flatten(value, `${path}.`);
    else if (Array.isArray(value) && value.some(isObject)) yield* flatten({ ...value }, `${path}.`);
    else yield [path, cell(value)];
  }
}
