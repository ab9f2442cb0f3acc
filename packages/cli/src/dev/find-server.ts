import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canAsk, confirm } from '../command/confirm.ts';
import type { CommandContext } from '../command/context.ts';
import { CliError } from '../errors/cli-error.ts';
import { isObject } from '../terminal/value.ts';
import { fetchServer, WITHOUT_REGISTRY } from './fetch-server.ts';

/**
 * Returns the script of `plat-server`: that of the project, or beside this CLI, or downloaded by npm after
 * confirmation.
 * @throws {@link CliError} `SERVER_NOT_FOUND` without a server and a terminal; `CONFIRMATION_REQUIRED` if the user
 * declines
 */
export async function findServer(
  context: CommandContext,
  yes: boolean,
  places: readonly string[] = [join(context.io.cwd, 'package.json'), import.meta.filename],
): Promise<string> {
  for (const place of places) {
    const found = scriptResolvedFrom(place);
    if (found) return found;
  }
  if (!yes && !canAsk(context)) {
    throw new CliError('SERVER_NOT_FOUND', '@plat/server is not installed, and downloading it needs a confirmation', {
      next: `npm install --save-dev @plat/server, or let npm download it: plat dev --yes. If the registry does not have it: ${WITHOUT_REGISTRY}`,
    });
  }
  await confirm(context, yes, '@plat/server is not installed. Let npm download it into its cache?');
  return fetchServer(context);
}

/**
 * Returns the given script, if the file exists.
 * @throws {@link CliError} `USAGE`
 */
export function scriptAt(path: string): string {
  if (existsSync(path) && statSync(path).isFile()) return path;
  throw new CliError('USAGE', `--server: there is no file ${path}`, {
    next: 'Pass the bin/plat-server.js of a @plat/server, or omit --server to use the installed one.',
  });
}

/** Returns the script as Node.js resolves it from a file, or null. */
function scriptResolvedFrom(file: string): string | null {
  let manifest: string;
  try {
    manifest = createRequire(pathToFileURL(file)).resolve('@plat/server/package.json');
  } catch {
    return null;
  }
  const content: unknown = JSON.parse(readFileSync(manifest, 'utf8'));
  const bin = isObject(content) && isObject(content['bin']) ? content['bin']['plat-server'] : undefined;
  const script = typeof bin === 'string' ? join(dirname(manifest), bin) : null;
  return script !== null && existsSync(script) ? script : null;
}
