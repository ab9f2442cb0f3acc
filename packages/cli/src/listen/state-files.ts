import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { serverOf } from '../connection/credentials-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../files/private-file.ts';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';

/** Where a listener keeps what it has to know after a restart. */
export interface StateFiles {
  readonly cursor: string;
  readonly secret: string;
}

/** Whose events go where: each such pair has a cursor and a secret of its own. */
interface Route {
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly to: string;
}

/**
 * The files of a route: those that were asked for, else in the user's folder for state.
 * @throws {@link CliError} `UNWRITABLE_STATE` where there is no such folder
 */
export function stateFiles(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  { baseUrl, tenantId, to }: Route,
  given: { readonly cursorFile: string | undefined; readonly secretFile: string | undefined },
): StateFiles {
  const at = (file: string | undefined, ending: string): string => {
    if (file !== undefined) return resolve(cwd, file);
    const folder = userFolder({ env }, 'state');
    if (folder === null) {
      throw new CliError('UNWRITABLE_STATE', 'There is no home folder to keep the cursor and the secret in', {
        next: 'Set HOME or XDG_STATE_HOME, or give --cursor-file and --secret-file.',
      });
    }
    const digest = createHash('sha256')
      .update(`${serverOf(baseUrl)}\n${to}`)
      .digest('hex')
      .slice(0, 16);
    return join(folder, 'plat', 'listen', `${tenantId}-${digest}.${ending}`);
  };
  return { cursor: at(given.cursorFile, 'cursor'), secret: at(given.secretFile, 'secret') };
}

/** The refusal for a file that cannot be written. */
export function unwritable(path: string, error: unknown): CliError {
  return new CliError('UNWRITABLE_STATE', `${path} cannot be written (${codeOf(error)})`, {
    next: 'Make its folder writable, set XDG_STATE_HOME, or name another file.',
  });
}
