import { accessSync, constants } from 'node:fs';
import { win32 } from 'node:path';

/** What `spawn` needs to start a command on Windows. */
export interface WindowsCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether the arguments are quoted already. */
  readonly windowsVerbatimArguments: boolean;
}

interface Place {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isFile?: (path: string) => boolean;
}

/**
 * Finds a command as `cmd.exe` does. `npm`, `npx` and the programs in `node_modules/.bin` are `.cmd` files on Windows.
 * Node.js starts those only through `cmd.exe` (CVE-2024-27980), so they are quoted for it.
 */
export function windowsCommand(command: string, args: readonly string[], place: Place): WindowsCommand {
  const path = find(command, place);
  if (path === null || !/\.(?:cmd|bat)$/i.test(path)) {
    return { command: path ?? command, args, windowsVerbatimArguments: false };
  }
  const line = [escapeMeta(path), ...args.map((arg) => escapeMeta(escapeMeta(quote(arg))))].join(' ');
  return {
    command: variable(place.env, 'COMSPEC') ?? 'cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  };
}

function find(command: string, { env, cwd, isFile = isReadable }: Place): string | null {
  const hasFolder = /[\\/]/.test(command);
  // The current folder is not searched: a program there must not replace one of the PATH.
  const folders = hasFolder ? [cwd] : (variable(env, 'PATH') ?? '').split(';').filter((folder) => folder !== '');
  const endings = (variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';');
  const completed = endings.map((ending) => command + ending);
  // Without an ending, the file `npm` is a script for other shells.
  const names = win32.extname(command) === '' ? completed : [command, ...completed];
  for (const folder of folders) {
    const path = names.map((name) => win32.resolve(folder, name)).find(isFile);
    if (path !== undefined) return path;
  }
  return null;
}

/** Names of variables have no case on Windows, but those of a copy of `process.env` do. */
function variable(env: Place['env'], name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Quotes an argument by the rules of the C runtime: backslashes double before a quote. */
function quote(arg: string): string {
  return `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/** Escapes for `cmd.exe`. A `.cmd` file hands its arguments to a second line, so arguments are escaped twice. */
function escapeMeta(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}
