import { CliError } from '../errors/cli-error.ts';
import type { Io } from '../terminal/io.ts';
import { isObject, parseJson } from '../terminal/value.ts';
import { readInput } from './input-file.ts';

/**
 * Reads a token from a file, or from stdin for `-`: plain, or as `token` in the JSON that a command printed.
 * @throws {@link CliError} `USAGE` for a token in place of a file, `UNREADABLE_INPUT` for a file without a token
 */
export async function readTokenFile(io: Io, file: string): Promise<string> {
  if (/^(?:eyJ[\w-]*\.|plat_[a-z]+_)/.test(file)) {
    throw new CliError('USAGE', 'A token on the command line is visible to every user of this machine', {
      next: 'Pass a file that contains it, or - for stdin.',
    });
  }
  const text = (await readInput(io, 'the token', file)).trim();
  const token = text.startsWith('{') ? tokenIn(text) : text;
  if (token) return token;
  throw new CliError('UNREADABLE_INPUT', `There is no token in ${file === '-' ? 'stdin' : file}`);
}

function tokenIn(json: string): string | null {
  const object = parseJson(json);
  return isObject(object) && typeof object['token'] === 'string' ? object['token'].trim() : null;
}
