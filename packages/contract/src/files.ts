import type { FileHandle } from 'node:fs/promises';

/**
 * Replaces a file atomically, readable by its owner only (0600). The text is written to another file, flushed and renamed,
 * so that a crash or a power failure leaves the old or the new text. Requires Node.js.
 * @param temporary - path of the other file, which must not exist; by default a random name beside the file
 * @param isWanted - called after the other file was written, before the rename
 * @returns false if `isWanted` did: the file keeps its old text
 */
export async function replaceFile(
  path: string,
  text: string,
  temporary = besides(path),
  isWanted: () => Promise<boolean> = async () => true,
): Promise<boolean> {
  const fs = process.getBuiltinModule('node:fs/promises');
  try {
    await flushed(temporary, 'wx', (file) => file.writeFile(text));
    if (!(await isWanted())) {
      await fs.rm(temporary, { force: true });
      return false;
    }
    await moveFile(temporary, path);
  } catch (error) {
    // A file that exists already belongs to another writer.
    if (!hasCode(error, EXISTS)) await fs.rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  // Flushes the folder, which contains the new name. Windows cannot open a folder, and does not need it.
  if (process.platform !== 'win32') await flushFolder(process.getBuiltinModule('node:path').dirname(path));
  return true;
}

const EXISTS = new Set(['EEXIST']);

/** Codes of file systems that cannot flush a folder, such as network mounts, and of folders that cannot be read. */
const NO_FLUSH = new Set(['EINVAL', 'ENOTSUP', 'EPERM', 'EACCES']);

async function flushFolder(folder: string): Promise<void> {
  try {
    await flushed(folder, 'r');
  } catch (error) {
    // The file was replaced.
    if (!hasCode(error, NO_FLUSH)) throw error;
  }
}

/** Renames a file, and replaces the one at the new path. */
export async function moveFile(from: string, to: string): Promise<void> {
  const { rename } = process.getBuiltinModule('node:fs/promises');
  await onceFree(() => rename(from, to));
}

/** Reads the text of a file that other processes replace. */
export async function readReplacedFile(path: string): Promise<string> {
  const { readFile } = process.getBuiltinModule('node:fs/promises');
  return onceFree(() => readFile(path, 'utf8'));
}

/** Codes with which Windows refuses a file that another process replaces, or that a virus scanner has open. */
const IN_USE = new Set(['EPERM', 'EACCES', 'EBUSY']);
const IN_USE_MS = 2_000;

/** Runs an operation on a file. On Windows it tries again while another process uses the file. */
async function onceFree<T>(operation: () => Promise<T>): Promise<T> {
  for (const endsAt = performance.now() + IN_USE_MS; ; ) {
    try {
      return await operation();
    } catch (error) {
      if (process.platform !== 'win32' || !hasCode(error, IN_USE) || performance.now() >= endsAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return error instanceof Error && 'code' in error && codes.has(String(error.code));
}

function besides(path: string): string {
  return `${path}.${process.getBuiltinModule('node:crypto').randomUUID()}`;
}

async function flushed(path: string, flags: string, work?: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await process.getBuiltinModule('node:fs/promises').open(path, flags, 0o600);
  try {
    await work?.(file);
    await file.sync();
  } finally {
    await file.close();
  }
}
