import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import spawn from 'cross-spawn';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';
import type { Io, Output } from './io.ts';

/** The command behind `--`. */
export interface Child {
  /** Resolves to the exit code; 128 plus the signal number if a signal ended the command, as in a shell. */
  readonly ended: Promise<number>;
  /** Forwards a signal and waits for the end; kills the command after ten seconds. */
  stop(signal: NodeJS.Signals | null): Promise<void>;
}

const GRACE_MS = 10_000;

interface Surroundings {
  /** Carries secrets, since other users of the machine cannot read the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Destination of the output of the command; stderr when absent, since stdout holds our own results. */
  readonly stdout?: Output;
}

/**
 * Starts a command.
 * @throws {@link CliError} `USAGE` when it cannot be started
 */
export async function startChild(
  io: Io,
  [command = '', ...args]: readonly string[],
  { env, stdout = io.stderr }: Surroundings,
): Promise<Child> {
  const ownOrPipe = (output: Output) => (output === process.stdout ? 1 : output === process.stderr ? 2 : 'pipe');
  // On Windows, `npm` and most programs of packages are scripts, which Node starts only through a shell.
  const child = spawn(command, args, {
    cwd: io.cwd,
    env: { ...io.env, ...env },
    stdio: [io.stdin === process.stdin ? 'inherit' : 'ignore', ownOrPipe(stdout), ownOrPipe(io.stderr)],
  });
  child.stdout?.pipe(stdout, { end: false });
  child.stderr?.pipe(io.stderr, { end: false });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw new CliError('USAGE', `${command} cannot be started (${codeOf(error)})`);
  }
  // Kills the command whenever this process exits, for example because the reader of stdout has gone.
  const kill = (): void => end(child, 'SIGTERM');
  process.once('exit', kill);
  void ended.then(() => process.off('exit', kill));
  return { ended, stop: (signal) => stop(io, child, ended, signal) };
}

async function stop(io: Io, child: ChildProcess, ended: Promise<number>, signal: NodeJS.Signals | null): Promise<void> {
  // The terminal sends Ctrl-C to the whole process group. The command already has it, and may treat a second one as a
  // forced stop.
  if (!(signal === 'SIGINT' && io.stdin.isTTY)) end(child, signal ?? 'SIGTERM');
  const force = setTimeout(() => end(child, 'SIGKILL'), GRACE_MS);
  await ended;
  clearTimeout(force);
}

/** Sends a signal. Windows has none, and a script runs below a shell there, so the whole tree of processes is ended. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (process.platform !== 'win32') child.kill(signal);
  else if (spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']).status !== 0) child.kill(signal);
}
