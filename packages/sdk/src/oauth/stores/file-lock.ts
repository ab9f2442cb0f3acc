import type { Stats } from 'node:fs';
import type { GrantLock, LockHolder } from '../grant-store.ts';

/** Content of a lock file: its holder. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  /** Machine and pid namespace. The pid is valid only there. */
  readonly place: string;
  readonly host: string;
  readonly since: string;
}

/** Interval in ms at which a holder touches its file. */
const HEARTBEAT = 2_000;
/**
 * The file of a process that removes a dead lock exists for microseconds. After this time in ms, that process has ended
 * too.
 */
const BREAKER_SILENCE = 5_000;

/**
 * Time at which this process first saw each file unchanged. Clocks of other machines and of file servers are not
 * comparable.
 */
const seen = new Map<string, { readonly mtime: number; readonly since: number }>();

/**
 * An acquired lock with a file name that only its holder uses. The file is removed with the lock of an ended process.
 */
export interface FileLock extends GrantLock {
  readonly scratch: string;
}

/**
 * Tries once to acquire a lock file. The lock excludes other processes. It ends with its process, or if the process has
 * not touched it for `silence` ms.
 */
export function tryFileLock(path: string, silence: number): FileLock | LockHolder {
  const fs = process.getBuiltinModule('node:fs');
  const token = globalThis.crypto.randomUUID();
  const holder: Holder = { token, pid: process.pid, ...thisPlace(), since: new Date().toISOString() };
  if (!createFile(path, JSON.stringify(holder))) return lockHolderOf(path, silence);
  seen.delete(path);
  const heart = setInterval(() => {
    try {
      const now = new Date();
      if (readHolder(path)?.token === token) fs.utimesSync(path, now, now);
    } catch {
      // The lock is gone, because other processes counted this one as ended. The versions in the store prevent damage.
    }
  }, HEARTBEAT);
  heart.unref();
  return {
    scratch: scratchOf(path, token),
    async release() {
      clearInterval(heart);
      if (readHolder(path)?.token === token) fs.rmSync(path, { force: true });
    },
  };
}

/** Returns the lock holder. The lock of an ended process is removed for the next try. */
function lockHolderOf(path: string, silence: number): LockHolder {
  const holder = readHolder(path);
  if (isDead(path, holder, silence)) breakLock(path, holder?.token);
  return { heldBy: holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process' };
}

function isDead(path: string, holder: Holder | null, silence: number): boolean {
  if (holder && holder.place === thisPlace().place && !isRunning(holder.pid)) return true;
  return silenceOf(path) > silence;
}

/**
 * Removes the lock of an ended process. If two processes did that at once, the second could remove the new lock of a
 * third. So only one process at a time does it, and only if the lock is unchanged.
 */
function breakLock(path: string, token: string | undefined): void {
  const fs = process.getBuiltinModule('node:fs');
  const breaker = `${path}.break`;
  if (!createFile(breaker, '')) {
    if (silenceOf(breaker) > BREAKER_SILENCE) fs.rmSync(breaker, { force: true });
    return;
  }
  try {
    if (readHolder(path)?.token !== token) return;
    if (token !== undefined) fs.rmSync(scratchOf(path, token), { force: true });
    fs.rmSync(path, { force: true });
  } finally {
    fs.rmSync(breaker, { force: true });
  }
}

function scratchOf(path: string, token: string): string {
  return `${path}.${token}`;
}

/** Returns the time in ms for which this process has seen a file unchanged. */
function silenceOf(path: string): number {
  const now = performance.now();
  const mtime = statOf(path)?.mtimeMs;
  const before = seen.get(path);
  if (mtime === undefined) {
    seen.delete(path);
    return 0;
  }
  if (before?.mtime === mtime) return now - before.since;
  seen.set(path, { mtime, since: now });
  return 0;
}

/** Creates a file with its text. Returns false if it exists. */
function createFile(path: string, text: string): boolean {
  const fs = process.getBuiltinModule('node:fs');
  try {
    const file = fs.openSync(path, 'wx', 0o600);
    try {
      fs.writeSync(file, text);
    } finally {
      fs.closeSync(file);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | null {
  try {
    // This module wrote the file completely, or not at all if the writer was killed or is still writing.
    return JSON.parse(process.getBuiltinModule('node:fs').readFileSync(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

function statOf(path: string): Stats | undefined {
  return process.getBuiltinModule('node:fs').statSync(path, { throwIfNoEntry: false });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

let place: { readonly place: string; readonly host: string } | undefined;

/**
 * Hosts can have the same name and containers can share folders. The kernel's boot id and the pid namespace distinguish
 * them.
 */
function thisPlace(): { readonly place: string; readonly host: string } {
  if (place) return place;
  const fs = process.getBuiltinModule('node:fs');
  const host = process.getBuiltinModule('node:os').hostname();
  const ask = (question: () => string): string => {
    try {
      return question().trim();
    } catch {
      return '';
    }
  };
  const boot = ask(() => fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'));
  const namespace = ask(() => fs.readlinkSync('/proc/self/ns/pid'));
  place = { place: [host, boot, namespace].join(' '), host };
  return place;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
