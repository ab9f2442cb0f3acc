import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '@plat/contract/files';

/**
 * Content of `.plat/sandbox.json`, which describes the running sandbox to the CLI and scripts. It contains a secret:
 * mode 0600.
 */
export interface SandboxFile {
  readonly base_url: string;
  readonly tenant_id: string;
  readonly api_key: string;
  readonly console_url: string;
  readonly developer_id: string;
  readonly developer_email: string;
}

const NAME = 'sandbox.json';

/** Returns the file, or null if it is missing or unreadable. */
export async function readSandboxFile(dataDir: string): Promise<Partial<SandboxFile> | null> {
  try {
    const content: unknown = JSON.parse(await readFile(join(dataDir, NAME), 'utf8'));
    return typeof content === 'object' && content !== null ? content : null;
  } catch {
    return null;
  }
}

/**
 * Writes the replaced API key of the tenant to the file, if the file belongs to this tenant. Otherwise the next start
 * would find the old key invalid, and replace the new one.
 * @returns the path of the file; null if it belongs to another tenant or cannot be written
 */
export async function replaceKeyInSandboxFile(
  dataDir: string,
  { tenant_id, api_key }: Pick<SandboxFile, 'tenant_id' | 'api_key'>,
): Promise<string | null> {
  const known = await readSandboxFile(dataDir);
  if (known?.tenant_id !== tenant_id) return null;
  return write(dataDir, { ...known, api_key }).catch(() => null);
}

/** Replaces the file atomically, so that a reader sees the old or the new one. */
export function writeSandboxFile(dataDir: string, content: SandboxFile): Promise<string> {
  return write(dataDir, content);
}

async function write(dataDir: string, content: Partial<SandboxFile>): Promise<string> {
  const path = join(dataDir, NAME);
  await replaceFile(path, `${JSON.stringify(content, null, 2)}\n`);
  return path;
}
