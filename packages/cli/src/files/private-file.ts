import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile as replace } from '@plat/contract/files';

/** Replaces a file atomically, readable by its owner only. Its folder is created if missing. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replace(path, text);
}

/** Returns whether a file system error means that the file does not exist. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
