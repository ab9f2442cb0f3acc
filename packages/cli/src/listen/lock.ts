import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { moveFile } from '@plat/contract/files';
import { CliError } from '../errors/cli-error.ts';
import { isAbsent } from '../files/private-file.ts';
import { isObject } from '../terminal/value.ts';
import { unwritable } from './state-files.ts';

/** Releases a lock. */
export type Release = () => Promise<void>;

interface Holder {
  readonly pid: number;
  /** Start time of the process in ticks of the system; null if unknown. It detects a reused pid. */
  readonly began: string | null;
  /** Unique token of this lock. */
  readonly token: string;
}

/**
 * Locks a cursor for this process. It takes over the lock of a process that has ended.
 * @throws {@link CliError} `LISTENER_RUNNING`, `UNWRITABLE_STATE`
 */
export async function lockCursor(cursor: string): Promise<Release> {
  const path = `${cursor}.lock`;
  const mine: Holder = { pid: process.pid, began: await beganAt(process.pid), token: randomUUID() };
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    while (!(await take(path, mine))) {
      const holder = await readHolder(path);
      if (holder && (await isAlive(holder))) throw running(cursor, holder);
      await remove(path, holder?.token);
    }
  } catch (error) {
    throw error instanceof CliError ? error : unwritable(path, error);
  }
  return () => remove(path, mine.token);
}

/** Creates the lock file atomically. */
async function take(path: string, mine: Holder): Promise<boolean> {
  const draft = `${path}.${mine.token}`;
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Removes the lock with this token. It restores a lock that another process took in the meantime. */
async function remove(path: string, token: string | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await moveFile(path, aside);
  } catch (error) {
    if (isAbsent(error)) return;
    throw error;
  }
  if ((await readHolder(aside))?.token !== token) await link(aside, path).catch(() => undefined);
  await rm(aside, { force: true });
}

async function readHolder(path: string): Promise<Holder | null> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return null;
    throw error;
  }
  if (!isObject(content)) return null;
  const { pid, began, token } = content;
  if (typeof pid !== 'number' || typeof token !== 'string') return null;
  return { pid, began: typeof began === 'string' ? began : null, token };
}

async function isAlive({ pid, began }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  return began === null || began === (await beganAt(pid));
}

/** Returns the start time of a process since boot (Linux only). */
async function beganAt(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The program name in parentheses may contain any character. Field 22 is the 20th after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function running(cursor: string, { pid }: Holder): CliError {
  return new CliError('LISTENER_RUNNING', `Another plat listen (process ${pid}) forwards these events already`, {
    hint: `Both use the cursor ${cursor}.`,
    next: 'Stop it, or pass another --cursor-file.',
  });
}
