import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** The processor of the server. */
const OF_SERVER = 0;

/**
 * Keeps this process, and those that it starts from now on, off the processor of a server. So load, proxy and database do not take
 * time from the server, as if each ran on its own machine.
 * @throws Error on a machine with one processor, or without `taskset` of util-linux
 */
export function leaveProcessor(): void {
  const count = availableParallelism();
  if (count < 2) throw new Error('--pinned needs two processors');
  pin(process.pid, `${OF_SERVER + 1}-${count - 1}`);
}

/** Moves a server, with all its threads, to the processor that {@link leaveProcessor} leaves. */
export function takeProcessor(pid: number): void {
  pin(pid, String(OF_SERVER));
}

function pin(pid: number, processors: string): void {
  try {
    execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', processors, String(pid)], { stdio: 'pipe' });
  } catch (error) {
    throw new Error('--pinned needs taskset. Debian: apt-get install util-linux.', { cause: error });
  }
}
