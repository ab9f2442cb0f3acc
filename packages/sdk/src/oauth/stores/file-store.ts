import type { FileHandle } from 'node:fs/promises';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import { conceal } from '../conceal.ts';
import type { GrantStore, StoredGrant } from '../grant-store.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';

/** A process that has not touched its lock for so long (ms) is taken for dead; one that is gone is known to be at once. */
const SILENCE = 15_000;
/** The same for the lock around one write, which takes milliseconds; and how long that is waited for. */
const WRITE_SILENCE = 5_000;
const WRITE_LOCK_TIMEOUT = 8_000;

/** A store whose locks are real ones. */
type LockingStore = GrantStore & Required<Pick<GrantStore, 'id' | 'tryLock'>>;

/**
 * A store in a folder: a file for each grant, for any number of processes of one machine. Files are for their owner only
 * (0600), written beside their place, flushed, and then put into it, so that a crash leaves the old one or the new one.
 * Locks of dead processes end by themselves. On Node only.
 * @param folder - made when it is not there; on a local disk
 * @throws {@link InvalidArgumentError} when `folder` is no path
 */
export function fileStore(folder: string): LockingStore {
  if (typeof folder !== 'string' || folder === '') throw new InvalidArgumentError('folder', 'must be a path');
  const path = process.getBuiltinModule('node:path');
  const root = path.resolve(folder);
  const fileOf = (key: string): string => path.join(root, nameOf(key));
  const ready = () => process.getBuiltinModule('node:fs/promises').mkdir(root, { recursive: true, mode: 0o700 });
  const store: LockingStore = {
    id: `file:${root}`,
    get: (key) => read(fileOf(key)),
    async compareAndSet(key, expected, next) {
      await ready();
      const file = fileOf(key);
      const lock = await writeLock(`${file}.writing`);
      try {
        if (((await read(file))?.version ?? null) !== expected) return false;
        await replace(file, lock.scratch, JSON.stringify(next));
        return true;
      } finally {
        await lock.release();
      }
    },
    async tryLock(key) {
      await ready();
      return tryFileLock(`${fileOf(key)}.lock`, SILENCE);
    },
  };
  return conceal(store, { store: store.id });
}

/** Readable for the operator, and different for different keys on file systems that know no case too. */
function nameOf(key: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 24);
  return `${key.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}-${digest}.json`;
}

async function read(file: string): Promise<StoredGrant | null> {
  try {
    const text = await process.getBuiltinModule('node:fs/promises').readFile(file, 'utf8');
    return JSON.parse(text) as StoredGrant;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    // A JSON error quotes what it could not read.
    if (error instanceof SyntaxError) throw new Error(`${file} is not JSON`);
    throw error;
  }
}

async function replace(file: string, temporary: string, text: string): Promise<void> {
  const fs = process.getBuiltinModule('node:fs/promises');
  try {
    await flushed(await fs.open(temporary, 'wx', 0o600), (handle) => handle.writeFile(text));
    await fs.rename(temporary, file);
  } catch (error) {
    await fs.rm(temporary, { force: true });
    throw error;
  }
  // The new name is in the folder, and is only safe with it. Windows cannot open a folder, and does without.
  if (process.platform === 'win32') return;
  await flushed(await fs.open(process.getBuiltinModule('node:path').dirname(file)), async () => {});
}

async function flushed(handle: FileHandle, work: (handle: FileHandle) => Promise<void>): Promise<void> {
  try {
    await work(handle);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The lock around one comparison and write: held for milliseconds. */
async function writeLock(path: string): Promise<FileLock> {
  const deadline = performance.now() + WRITE_LOCK_TIMEOUT;
  for (;;) {
    const tried = tryFileLock(path, WRITE_SILENCE);
    if (!('heldBy' in tried)) return tried;
    if (performance.now() > deadline) throw new Error(`${path} is held by ${tried.heldBy}`);
    await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 8));
  }
}
