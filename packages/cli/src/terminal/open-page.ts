import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Io } from './io.ts';

/**
 * Opens a page in the person's browser, where there is one: at a terminal of this machine, with the program that the
 * system has for it. Resolves to nothing: whether a browser came up cannot be known.
 * @returns whether it was tried
 */
export function openPage(io: Io, url: string): boolean {
  if (!io.stdin.isTTY || !io.stderr.isTTY || io.env['CI'] || io.env['SSH_CONNECTION']) return false;
  // The address is the server's word: never more than an argument, and never of another kind.
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return false;
  const opener = openerOf(io);
  if (!opener) return false;
  const [program, ...args] = opener;
  const child = spawn(program, [...args, url], { detached: true, stdio: 'ignore', env: { ...io.env } });
  child.on('error', () => {});
  child.unref();
  return true;
}

function openerOf({ env }: Io): readonly [program: string, ...args: string[]] | null {
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  if (process.platform === 'darwin') return ['open'];
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return null;
  const folder = env['PATH']
    ?.split(delimiter)
    .find((folder) => folder !== '' && isExecutable(join(folder, 'xdg-open')));
  return folder === undefined ? null : [join(folder, 'xdg-open')];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
