import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new empty folder, and how to be rid of it. The prefix is short: a socket's path in it may have 107 bytes at most. */
export function tempFolder(name: string, parent: string = tmpdir()): { path: string; remove(): void } {
  const path = mkdtempSync(join(parent, `plat-${name}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
}
