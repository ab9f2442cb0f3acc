import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { type Io, readStdin } from '../terminal/io.ts';

/**
 * Reads the text of a file, or of stdin for `-`. A byte order mark is not part of the text. In Windows PowerShell, `>`
 * writes UTF-16 with one.
 * @throws {@link CliError} `UNREADABLE_INPUT`, and `USAGE` when two options read stdin
 */
export async function readInput(io: Io, option: string, file: string): Promise<string> {
  const bytes = await readInputBytes(io, option, file);
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

/**
 * Reads the bytes of a file, or of stdin for `-`.
 * @throws {@link CliError} `UNREADABLE_INPUT`, `USAGE`
 */
export async function readInputBytes(io: Io, option: string, file: string): Promise<Buffer> {
  if (file === '-') {
    if (readers.has(io)) throw new CliError('USAGE', `${readers.get(io)} and ${option} cannot both read stdin`);
    readers.set(io, option);
    return readStdin(io);
  }
  try {
    return await readFile(resolve(io.cwd, file));
  } catch (error) {
    throw new CliError('UNREADABLE_INPUT', `${option}: cannot read ${file} (${codeOf(error)})`);
  }
}

/** The option that has read stdin, which can be read only once. */
const readers = new WeakMap<Io, string>();
