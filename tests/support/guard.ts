import { spawn } from 'node:child_process';

/** Stops guarding: the process has ended and its folder is gone. */
export type Release = () => void;

/**
 * Sees to it that a process, and the folder it works in, do not outlive this one, however this one ends: Ctrl-C, a crash,
 * kill -9. A shell of its own waits on a pipe that the system closes when this process is gone.
 */
export function guard(pid: number, folder = ''): Release {
  if (process.platform === 'win32') return () => {};
  const script = 'read -r _ && exit 0; kill -9 "$0" 2>/dev/null; [ -z "$1" ] || rm -rf "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  // A watcher that is gone already has nothing left to be told.
  watcher.stdin.on('error', () => {});
  return () => watcher.stdin.end('released\n');
}
