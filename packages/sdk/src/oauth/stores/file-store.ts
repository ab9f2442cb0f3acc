import { readReplacedFile, replaceFile } from '@plat/contract/files';
import { requireNode } from '../../checks/node.ts';
import { InvalidArgumentError } from '../../errors/usage-errors.ts';
import { conceal } from '../conceal.ts';
import type { GrantStore, ListedGrant, StoredGrant } from '../grant-store.ts';
import { type FileLock, tryFileLock } from './file-lock.ts';

/**
 * Time in ms after which a process that has not touched its lock counts as ended. A process that no longer exists is
 * detected at once.
 */
const SILENCE = 15_000;
/** The same for the lock around one write, which takes milliseconds, and the maximum time to wait for it. */
const WRITE_SILENCE = 5_000;
const WRITE_LOCK_TIMEOUT = 8_000;

/** A store with locks. */
type LockingStore = GrantStore & Required<Pick<GrantStore, 'id' | 'tryLock'>>;

/**
 * Creates a store in a folder, with one file for each grant, for any number of processes on one machine. Only the owner
 * can read the files (0600; Windows has no such modes, so the rights of the folder apply). They are written under
 * another name, flushed, and renamed, so that a crash leaves the old or the new file. Locks of killed processes expire on
 * their own. Requires Node.
 * @param folder - a folder on a local disk; it is created if it does not exist
 * @throws {@link InvalidArgumentError} if `folder` is not a path, or outside of Node
 */
export function fileStore(folder: string): LockingStore {
  requireNode('fileStore', 'use a store of your own');
  if (typeof folder !== 'string' || folder === '') throw new InvalidArgumentError('folder', 'must be a path');
  const path = process.getBuiltinModule('node:path');
  const root = path.resolve(folder);
  const fileOf = (key: string): string => path.join(root, nameOf(key));
  const ready = () => process.getBuiltinModule('node:fs/promises').mkdir(root, { recursive: true, mode: 0o700 });
  const store: LockingStore = {
    id: `file:${root}`,
    async get(key) {
      const found = await read(fileOf(key));
      return found && { version: found.version, value: found.value };
    },
    async list({ after, limit }) {
      const first = after === null ? '' : nameOf(after);
      const listed: ListedGrant[] = [];
      for (const name of await names(root)) {
        if (name <= first) continue;
        const { key, version, value } = (await read(path.join(root, name))) ?? {};
        if (key !== undefined && version !== undefined && value !== undefined) listed.push({ key, version, value });
        if (listed.length === limit) break;
      }
      return listed;
    },
    async compareAndSet(key, expected, next) {
      await ready();
      const file = fileOf(key);
      const isExpected = async () => ((await read(file))?.version ?? null) === expected;
      const lock = await writeLock(`${file}.writing`);
      try {
        // Compared again when the scratch file exists. A process that takes the lock from a suspended one removes that
        // file, so that the suspended one then cannot rename it over a newer grant.
        return (
          (await isExpected()) && (await replaceFile(file, JSON.stringify({ key, ...next }), lock.scratch, isExpected))
        );
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

/** The name is readable for operators, and differs for different keys even on file systems that ignore case. */
function nameOf(key: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 24);
  return `${key.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 60)}-${digest}.json`;
}

/** A file has its key since grants can be listed. An older file gets it with the next renewal. */
type FiledGrant = StoredGrant & { readonly key?: string };

/** Returns the names of the files of grants, sorted. Locks and files that are being written have other endings. */
async function names(folder: string): Promise<readonly string[]> {
  try {
    const all = await process.getBuiltinModule('node:fs/promises').readdir(folder);
    return all.filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

async function read(file: string): Promise<FiledGrant | null> {
  try {
    return JSON.parse(await readReplacedFile(file)) as FiledGrant;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    // The error of JSON.parse quotes the text.
    if (error instanceof SyntaxError) throw new Error(`${file} is not JSON`);
    throw error;
  }
}

/** Acquires the lock around one comparison and write. It is held for milliseconds. */
async function writeLock(path: string): Promise<FileLock> {
  const deadline = performance.now() + WRITE_LOCK_TIMEOUT;
  for (;;) {
    const tried = tryFileLock(path, WRITE_SILENCE);
    if (!('heldBy' in tried)) return tried;
    if (performance.now() > deadline) throw new Error(`${path} is held by ${tried.heldBy}`);
    await new Promise((resolve) => setTimeout(resolve, 2 + Math.random() * 8));
  }
}
