import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { serverOf } from '../connection/credentials-file.ts';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import { userFolder } from '../files/user-folder.ts';
import type { Io } from '../terminal/io.ts';

/** Files with the state that a listener needs after a restart. */
export interface StateFiles {
  readonly cursor: string;
  readonly secret: string;
}

/** Tenant or app, and destination. Each pair has its own cursor and secret. */
interface Route {
  readonly baseUrl: string;
  /** Id of the tenant or the app. */
  readonly sourceId: string;
  readonly to: string;
}

/**
 * Returns the files of a route: the given ones, or else in the user's state folder.
 * @throws {@link CliError} `UNWRITABLE_STATE` without such a folder
 */
export function stateFiles(
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
  { baseUrl, sourceId, to }: Route,
  given: { readonly cursorFile: string | undefined; readonly secretFile: string | undefined },
): StateFiles {
  const at = (file: string | undefined, ending: string): string => {
    if (file !== undefined) return resolve(cwd, file);
    const folder = userFolder({ env }, 'state');
    if (folder === null) {
      throw new CliError('UNWRITABLE_STATE', 'There is no home folder for the cursor and the secret', {
        next: 'Set HOME or XDG_STATE_HOME, or pass --cursor-file and --secret-file.',
      });
    }
    const digest = createHash('sha256')
      .update(`${serverOf(baseUrl)}\n${to}`)
      .digest('hex')
      .slice(0, 16);
    // The server sends the id: it must not lead out of the folder.
    const source = sourceId.replace(/[^\w-]/g, '_');
    return join(folder, 'plat', 'listen', `${source}-${digest}.${ending}`);
  };
  return { cursor: at(given.cursorFile, 'cursor'), secret: at(given.secretFile, 'secret') };
}

/** Returns the error for a file that cannot be written. */
export function unwritable(path: string, error: unknown): CliError {
  return new CliError('UNWRITABLE_STATE', `${path} cannot be written (${codeOf(error)})`, {
    next: 'Make its folder writable, set XDG_STATE_HOME, or name another file.',
  });
}
