import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isAbsent, replaceFile } from '../files/private-file.ts';
import type { Io } from '../terminal/io.ts';
import { isObject, parseJson } from '../terminal/value.ts';

/** The sandbox described by `.plat/sandbox.json`. */
export interface Sandbox {
  readonly path: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tenantId: string | null;
  /** E-mail address of the owner of the sandbox. */
  readonly developerEmail: string | null;
}

/** Result of the search: the sandbox, the problem with a file that was found, or null. */
export type SandboxSearch = { readonly sandbox: Sandbox } | { readonly problem: string } | null;

/** Command that starts a sandbox. `npm start` does so only in a clone of the repository. */
export const HOW_TO_START = 'plat dev (in a clone of the repository: npm start)';

/** Searches the folder of PLAT_DATA_DIR, or else `.plat/` in the current folder and its ancestors. */
export async function findSandbox({ env, cwd }: Pick<Io, 'env' | 'cwd'>): Promise<SandboxSearch> {
  const dataDir = env['PLAT_DATA_DIR'];
  if (dataDir) return readSandbox(join(resolve(cwd, dataDir), NAME));
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const found = await readSandbox(join(folder, '.plat', NAME));
    if (found || folder === dirname(folder)) return found;
  }
}

/** Replaces the key in the file atomically. The server reads it on its next start. */
export async function replaceSandboxKey({ path }: Sandbox, apiKey: string): Promise<void> {
  const content = parseJson(await readFile(path, 'utf8'));
  const changed = { ...(isObject(content) ? content : {}), api_key: apiKey };
  await replaceFile(path, `${JSON.stringify(changed, null, 2)}\n`);
}

const NAME = 'sandbox.json';

async function readSandbox(path: string): Promise<SandboxSearch> {
  let text: string;
  try {
    if (await isForeign(path)) return { problem: `${path} belongs to another user` };
    text = await readFile(path, 'utf8');
  } catch (error) {
    return isAbsent(error) ? null : { problem: `${path} cannot be read` };
  }
  const content = parseJson(text);
  if (!isObject(content)) return { problem: `${path} is not the JSON of a sandbox` };
  const { base_url: baseUrl, api_key: apiKey, tenant_id: tenantId, developer_email: email } = content;
  if (typeof baseUrl !== 'string' || typeof apiKey !== 'string') {
    return { problem: `${path} has no base_url and api_key` };
  }
  const owner = {
    tenantId: typeof tenantId === 'string' ? tenantId : null,
    developerEmail: typeof email === 'string' ? email : null,
  };
  return { sandbox: { path, baseUrl, apiKey, ...owner } };
}

/** In a shared folder (/tmp), the file of another user must not decide where requests go. */
async function isForeign(path: string): Promise<boolean> {
  const uid = process.getuid?.();
  return uid !== undefined && uid !== 0 && (await stat(path)).uid !== uid;
}
