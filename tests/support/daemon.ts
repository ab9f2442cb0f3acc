import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { guard } from './guard.ts';
import type { tempFolder } from './temp-folder.ts';

/** A server of someone else's making (a database, Redis), run privately in a folder of its own. */
export interface Daemon {
  readonly pid: number;
  /** Its folder; gone after `stop` or `kill`. */
  readonly folder: string;
  /** Ends it as its operator would, and removes its folder. */
  stop(): Promise<void>;
  /** Ends it as a power cut would (SIGKILL), and removes its folder. */
  kill(): Promise<void>;
}

export interface DaemonOptions {
  name: string;
  command: string;
  args: readonly string[];
  /** The folder that `command` works in; one made by {@link tempFolder}. */
  folder: ReturnType<typeof tempFolder>;
  /** Rejects while the server does not answer yet. */
  ping(): Promise<unknown>;
  /** How long it may take until it answers; 30 s when not given. */
  readyWithinMs?: number;
}

/**
 * Starts a server and waits until it answers.
 * @throws Error with what the server printed when it ends, or does not answer in time
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { name, folder } = options;
  // A session of its own: Ctrl-C is for the test runner, whose teardown still needs the server.
  const child = spawn(options.command, options.args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
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
