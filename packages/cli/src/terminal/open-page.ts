import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Io } from './io.ts';

/**
 * Opens a page in the user's browser with the opener of the system, if this is an interactive terminal of this
 * machine. Success cannot be observed.
 * @returns whether an opener was started
 */
export function openPage(io: Io, url: string): boolean {
  if (!io.stdin.isTTY || !io.stderr.isTTY || io.env['CI'] || io.env['SSH_CONNECTION']) return false;
  // The server supplies the URL: it is passed as one argument only, and only http(s) is accepted.
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
