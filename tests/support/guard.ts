import { spawn } from 'node:child_process';

/** Stops guarding: the process has ended and its folder is deleted. */
export type Release = () => void;

/**
 * Ends a process and deletes its folder when this process ends in any way, Ctrl-C, a crash or kill -9. A separate shell
 * waits on a pipe that the system closes then.
 */
export function guard(pid: number, folder = ''): Release {
  if (process.platform === 'win32') return () => {};
  const script = 'read -r _ && exit 0; kill -9 "$0" 2>/dev/null; [ -z "$1" ] || rm -rf "$1"';
  const watcher = spawn('/bin/sh', ['-c', script, String(pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  // The watcher has ended already.
  watcher.stdin.on('error', () => {});
  return () => watcher.stdin.end('released\n');
}
