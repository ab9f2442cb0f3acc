import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { isAbsent, replaceFile } from '../files/private-file.ts';
import { unwritable } from './state-files.ts';

/**
 * Reads the secret from a file. It creates the file if missing, so that the secret stays the same.
 * @throws {@link CliError} `UNREADABLE_STATE`, `UNWRITABLE_STATE`
 */
export async function readSecret(path: string): Promise<string> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (isAbsent(error)) return makeSecret(path);
    throw new CliError('UNREADABLE_STATE', `${path} cannot be read (${codeOf(error)})`);
  }
  const secret = text.trim();
  if (/^[\x21-\x7e]+$/.test(secret)) return secret;
  throw new CliError('UNREADABLE_STATE', `${path} does not contain a signing secret`, {
    next: 'Write one there (whsec_…), or delete the file to create a new one.',
  });
}

async function makeSecret(path: string): Promise<string> {
  const secret = `whsec_${randomBytes(32).toString('base64url')}`;
  await replaceFile(path, `${secret}\n`).catch((error: unknown) => {
    throw unwritable(path, error);
  });
  return secret;
}
