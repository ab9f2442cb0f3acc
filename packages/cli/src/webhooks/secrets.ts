import type { Command } from 'commander';
import { CliError } from '../errors/cli-error.ts';
import { readInput } from '../files/input-file.ts';
import type { Io } from '../terminal/io.ts';

/**
 * Reads the signing secrets from `--secret-file`, or else from PLAT_WEBHOOK_SECRET.
 * @throws {@link CliError} `USAGE` without a secret, `UNREADABLE_INPUT`
 */
export async function readSecrets(io: Io, command: Command): Promise<readonly string[]> {
  const { secretFile }: { secretFile?: readonly string[] } = command.opts();
  const texts: string[] = [];
  for (const file of secretFile ?? []) texts.push(await readInput(io, '--secret-file', file));
  const text = secretFile ? texts.join('\n') : (io.env['PLAT_WEBHOOK_SECRET'] ?? '');
  const secrets = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (secrets.length > 0) return secrets;
  throw new CliError('USAGE', secretFile ? '--secret-file contains no secret' : 'There is no signing secret', {
    hint: 'It is the whsec_… shown when the endpoint was created or its secret was rotated.',
    next: 'Set PLAT_WEBHOOK_SECRET, or pass --secret-file <file> (- for stdin).',
  });
}
