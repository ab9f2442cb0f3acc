import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject, type JsonObject, parseJson } from '../terminal/value.ts';

/**
 * Reads the body of `--data`: inline JSON, a file (`@file`), or stdin (`-`, `@-`).
 * @throws {@link CliError} `USAGE` unless it is a JSON object
 */
export async function readData(io: Io, data: string): Promise<JsonObject> {
  const isFile = data === '-' || data.startsWith('@');
  const text = isFile ? await readInput(io, '--data', data.replace(/^@/, '')) : data;
  const body = parseJson(text);
  if (isObject(body)) return body;
  const where = isFile ? (data.endsWith('-') ? 'stdin' : data.slice(1)) : '--data';
  throw new CliError('USAGE', `${where} does not contain a JSON object`, {
    hint: isFile ? undefined : 'Write @file for a file, - for stdin.',
  });
}
