import { isAbsolute, join } from 'node:path';
import type { Io } from '../terminal/io.ts';

/** Kind → the variable that names its folder, where it is below the home folder without, and its variable on Windows. */
const KINDS = {
  config: { xdg: 'XDG_CONFIG_HOME', below: ['.config'], windows: 'APPDATA' },
  state: { xdg: 'XDG_STATE_HOME', below: ['.local', 'state'], windows: 'LOCALAPPDATA' },
  cache: { xdg: 'XDG_CACHE_HOME', below: ['.cache'], windows: 'LOCALAPPDATA' },
} as const;

/** The folder in which this user's programs keep files of a kind (XDG Base Directory Specification); null where there is none. */
export function userFolder({ env }: Pick<Io, 'env'>, kind: keyof typeof KINDS): string | null {
  const { xdg, below, windows } = KINDS[kind];
  const named = env[xdg];
  // A relative one is to be ignored.
  if (named && isAbsolute(named)) return named;
  const home = env['HOME'];
  return home ? join(home, ...below) : env[windows] || null;
}
