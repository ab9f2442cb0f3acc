import type { Stats } from 'node:fs';
import type { GrantLock, LockHolder } from '../grant-store.ts';

/** What a lock file says of its holder. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  /** Machine and pid namespace: only there does the pid mean something. */
  readonly place: string;
  readonly host: string;
  readonly since: string;
}

/** A holder touches its file so often (ms). */
const HEARTBEAT = 2_000;
/** The file of one who removes a dead lock is there for microseconds; after this it is a dead one's itself. */
const BREAKER_SILENCE = 5_000;

/** When each file was first seen as it is, by this process: clocks of other machines and of file servers say nothing. */
const seen = new Map<string, { readonly mtime: number; readonly since: number }>();

/** A lock that is held, with a file name that is its holder's alone; what is there goes with the lock of a dead one. */
export interface FileLock extends GrantLock {
  readonly scratch: string;
}

/**
 * One try to take a lock that is a file. It holds between processes, and ends with the process that has it, or when that
 * has not touched it for `silence` ms.
 */
export function tryFileLock(path: string, silence: number): FileLock | LockHolder {
  const fs = process.getBuiltinModule('node:fs');
  const token = globalThis.crypto.randomUUID();
  const holder: Holder = { token, pid: process.pid, ...thisPlace(), since: new Date().toISOString() };
  if (!createFile(path, JSON.stringify(holder))) return whoHas(path, silence);
  seen.delete(path);
  const heart = setInterval(() => {
    try {
      const now = new Date();
      if (readHolder(path)?.token === token) fs.utimesSync(path, now, now);
    } catch {
      // Gone: others thought this process dead. The store's versions keep what it does now from doing harm.
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

/** Says who has the lock; a dead one's is removed, for the next try. */
function whoHas(path: string, silence: number): LockHolder {
  const holder = readHolder(path);
  if (isDead(path, holder, silence)) breakLock(path, holder?.token);
  return { heldBy: holder ? `process ${holder.pid} on ${holder.host}, since ${holder.since}` : 'another process' };
}

function isDead(path: string, holder: Holder | null, silence: number): boolean {
  if (holder && holder.place === thisPlace().place && !isRunning(holder.pid)) return true;
  return silenceOf(path) > silence;
}

/**
 * Removes a dead lock. Two who do that at once could remove, the second of them, the lock that a third one has taken in
 * between: so one at a time, and only if it is still that lock.
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

/** For how long (ms) this process has seen a file unchanged. */
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

/** Creates a file, with its text, unless there is one. */
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
    // What this module wrote, whole or (its writer died, or is writing) not at all.
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

/** Hosts can have the same name and containers share folders; the kernel's boot and the pid namespace tell them apart. */
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
