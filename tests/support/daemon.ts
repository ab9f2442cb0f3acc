import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { guard } from './guard.ts';
import type { tempFolder } from './temp-folder.ts';

/** A third-party server (a database, Redis) that runs privately in its own folder. */
export interface Daemon {
  readonly pid: number;
  /** Its folder; deleted by `stop` and `kill`. */
  readonly folder: string;
  /** Stops it in an orderly way and deletes its folder. */
  stop(): Promise<void>;
  /** Kills it (SIGKILL), as a power failure would, and deletes its folder. */
  kill(): Promise<void>;
}

export interface DaemonOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** Environment variables that are added to those of this process. */
  env?: Readonly<Record<string, string>>;
  /** Working folder of `command`, created by {@link tempFolder}. */
  folder: ReturnType<typeof tempFolder>;
  /** Rejects until the server responds. */
  ping(): Promise<unknown>;
  /** Maximum start time in ms; 30 s by default. */
  readyWithinMs?: number;
}

/**
 * Starts a server and waits until it responds.
 * @throws Error with the server's output when it ends or does not respond in time
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { name, folder } = options;
  // Its own process group: Ctrl-C reaches the test runner only, whose teardown still needs the server.
  const env = { ...process.env, ...options.env };
  const child = spawn(options.command, options.args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const keep = (chunk: Buffer): void => {
    printed = (printed + chunk.toString()).slice(-8_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  let failure: Error | undefined;
  child.on('error', (error) => {
    failure = error;
  });
  const exited = once(child, 'exit').catch(() => undefined);
  if (child.pid === undefined) {
    await exited;
    folder.remove();
    throw new Error(`${name} could not be started: ${failure?.message ?? options.command}`);
  }
  const pid = child.pid;
  const release = guard(pid, folder.path);
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!hasEnded()) child.kill(signal);
    await exited;
    release();
    folder.remove();
  };

  const deadline = performance.now() + (options.readyWithinMs ?? 30_000);
  for (;;) {
    try {
      await options.ping();
      break;
    } catch (error) {
      if (hasEnded() || performance.now() > deadline) {
        await end('SIGKILL');
        throw new Error(`${name} did not come up:\n${printed.trim()}`, { cause: error });
      }
      await pause(50);
    }
  }
  return { pid, folder: folder.path, stop: () => end('SIGTERM'), kill: () => end('SIGKILL') };
}
