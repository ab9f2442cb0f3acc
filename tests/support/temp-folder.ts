import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates an empty folder. Returns its path and the function that deletes it. The prefix is short: the path of a socket
 * has at most 107 bytes.
 */
export function tempFolder(name: string, parent: string = tmpdir()): { path: string; remove(): void } {
  const path = mkdtempSync(join(parent, `plat-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
