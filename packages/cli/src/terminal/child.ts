import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { CliError } from '../errors/cli-error.ts';
import type { Io, Output } from './io.ts';
import { windowsCommand } from './windows-command.ts';

/** The command behind `--`. */
export interface Child {
  /** Resolves to the exit code; 128 plus the signal number if a signal ended the command, as in a shell. */
  readonly ended: Promise<number>;
  /** Forwards a signal and waits for the end; kills the command after ten seconds. */
  stop(signal: NodeJS.Signals | null): Promise<void>;
}

const GRACE_MS = 10_000;
const isWindows = process.platform === 'win32';

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
  const whole = { ...io.env, ...env };
  const start = isWindows ? windowsCommand(command, args, { env: whole, cwd: io.cwd }) : { command, args };
  const child = spawn(start.command, start.args, {
    ...start,
    cwd: io.cwd,
    env: whole,
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
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new CliError('USAGE', `${command} cannot be started (${why})`);
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

/** Windows has no signals, and ending `cmd.exe` leaves what it started: there the whole tree of processes is ended. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (isWindows && child.pid !== undefined) spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
  else child.kill(signal);
}
