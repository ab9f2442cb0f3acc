import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject } from '../terminal/value.ts';

/** A `name=value` as it was typed. `raw`: the value is text, whatever it looks like. */
export interface TypedField {
  readonly text: string;
  readonly raw: boolean;
}

/**
 * A body from `name=value` pairs: true, false, null and numbers as such, `@file` as the file's text, the rest as text.
 * `name[]=` adds to a list, `name[sub]=` goes into an object.
 * @throws {@link CliError} `USAGE` for a name that fits no body
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
  // JSON's numbers only: 007 and 1e999 stay text, as does what a number cannot hold exactly.
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && String(Number(value)) === value) return Number(value);
  return value.startsWith('@') ? readInput(io, '--field', value.slice(1)) : value;
}

/** `events[]` is events and the end of a list; `a[b]` is b in a. */
function pathOf(name: string): readonly string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw new CliError('USAGE', `--field: "${name}" is no name of a field`);
  const [, first = '', rest = ''] = match;
  return [first, ...rest.split(/[[\]]+/).slice(1, -1), ...(rest.endsWith('[]') ? [''] : [])];
}

function setAt(body: Record<string, unknown>, path: readonly string[], value: unknown, name: string): void {
  const [key = '', ...rest] = path;
  const clash = new CliError('USAGE', `--field: ${name} is given in two ways`);
  if (rest.length === 0) {
    if (Object.hasOwn(body, key)) throw clash;
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

/** Also for `__proto__`, which an assignment would take for something else. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}
