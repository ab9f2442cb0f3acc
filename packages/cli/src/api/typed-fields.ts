import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject } from '../terminal/value.ts';

/** A parsed `name=value`. `raw` keeps the value as text. */
export interface TypedField {
  readonly text: string;
  readonly raw: boolean;
}

/**
 * Builds a body from `name=value` pairs: true, false, null and numbers become JSON values, `@file` the text of the
 * file, the rest text. `name[]=` adds to a list, `name[sub]=` goes into an object.
 * @throws {@link CliError} `USAGE` for a name that conflicts with another
 */
export async function bodyFromFields(io: Io, fields: readonly TypedField[]): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const field of fields) {
    const [name, value] = splitPair('--field', field.text);
    setAt(body, pathOf(name), field.raw ? value : await typed(io, value), name);
  }
  return body;
}

/** @throws {@link CliError} `USAGE` unless it is `name=value` */
export function splitPair(option: string, text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new CliError('USAGE', `${option} takes name=value, not "${text}"`);
  return [text.slice(0, at), text.slice(at + 1)];
}

async function typed(io: Io, value: string): Promise<unknown> {
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (value === 'null') return null;
  // JSON numbers only: 007, 1e999 and numbers without an exact representation stay text.
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && String(Number(value)) === value) return Number(value);
  return value.startsWith('@') ? readInput(io, '--field', value.slice(1)) : value;
}

/** Parses a name: `events[]` appends to the list `events`; `a[b]` is `b` in the object `a`. */
function pathOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw new CliError('USAGE', `--field: "${name}" is not a field name`);
  const [, first = '', rest = ''] = match;
  return [first, ...rest.split(/[[\]]+/).slice(1, -1), ...(rest.endsWith('[]') ? [''] : [])];
}

function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown, name: string): void {
  const [key = '', ...rest] = path;
  const clash = new CliError('USAGE', `--field: ${name} is given both as a value and as an object or list`);
  if (rest.length === 0) {
    const isList = Array.isArray(body[key]) || isObject(body[key]);
    if (Object.hasOwn(body, key)) throw isList ? clash : givenTwice(name);
    define(body, key, value);
  } else if (rest[0] === '') {
    const list = Object.hasOwn(body, key) ? body[key] : [];
    if (!Array.isArray(list) || rest.length > 1) throw clash;
    define(body, key, [...list, value]);
  } else {
    const inner = Object.hasOwn(body, key) ? body[key] : {};
    if (!isObject(inner)) throw clash;
    const copy = { ...inner };
    setAt(copy, rest, value, name);
    define(body, key, copy);
  }
}

function givenTwice(name: string): CliError {
  return new CliError('USAGE', `--field: ${name} is given twice`, {
    next: `For a list, write each item as ${name}[]=value.`,
  });
}

/** Defines a property, so that `__proto__` is safe too. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
