import { isAbsolute, join } from 'node:path';
import type { Io } from '../terminal/io.ts';

/** Kind of file → variable of its folder, default below the home folder, and variable on Windows. */
const KINDS = {
  config: { xdg: 'XDG_CONFIG_HOME', below: ['.config'], windows: 'APPDATA' },
  state: { xdg: 'XDG_STATE_HOME', below: ['.local', 'state'], windows: 'LOCALAPPDATA' },
  cache: { xdg: 'XDG_CACHE_HOME', below: ['.cache'], windows: 'LOCALAPPDATA' },
} as const;

/** Returns the user's folder for a kind of file (XDG Base Directory Specification); null if there is none. */
export function userFolder({ env }: Pick<Io, 'env'>, kind: keyof typeof KINDS): string | null {
  const { xdg, below, windows } = KINDS[kind];
  const named = env[xdg];
  // The specification says to ignore relative paths.
  if (named && isAbsolute(named)) return named;
  const home = env['HOME'];
  return home ? join(home, ...below) : env[windows] || null;
}
