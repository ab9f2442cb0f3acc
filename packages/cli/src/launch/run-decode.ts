import { type CommandContext, note } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { readTokenFile } from '../files/token-file.ts';
import { printResult } from '../output/result.ts';
import { relativeTime } from '../terminal/relative-time.ts';
import { isObject, type JsonObject, parseJson } from '../terminal/value.ts';

/**
 * Prints the claims of a token without verifying it. The signature is left out, so that the output is not a token.
 * @throws {@link CliError} `UNREADABLE_INPUT` for text that is not a JWT
 */
export async function runDecode(context: CommandContext, file: string): Promise<void> {
  const token = await readTokenFile(context.io, file);
  const [header, claims, ...signature] = token.split('.');
  const said = { header: readPart(header), claims: readPart(claims) };
  if (!said.header || !said.claims || signature.length !== 1) {
    throw new CliError(
      'UNREADABLE_INPUT',
      'This is not a JWT: it needs three parts of base64url, the first two of them JSON',
      {
        hint: 'A launch token is the value of the form field launch_token, whole.',
      },
    );
  }
  await note(context, 'Not verified: anyone can write such a token. To verify it: plat launch verify');
  await printResult(context, { object: 'launch_token_content', verified: false, ...said, ...timesOf(said.claims) });
}

function readPart(part = ''): JsonObject | null {
  const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
  return isObject(value) ? value : null;
}

/** Returns the times of the claims in words; invalid times are left out. */
function timesOf({ iat, exp }: JsonObject): JsonObject {
  const now = Math.floor(Date.now() / 1000);
  return {
    issued: inWords(iat, now),
    expires: inWords(exp, now),
    expired: isTime(exp) ? exp <= now : null,
  };
}

function inWords(time: unknown, now: number): string | null {
  return isTime(time) ? `${new Date(time * 1000).toISOString()} (${relativeTime(time, now)})` : null;
}

/** Returns whether a value is a valid time in Unix seconds. */
function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= 8.64e12;
}
