import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { emptyFolder } from './plat.ts';

/** A login as saved in the file. No server accepts its token. */
export const LOGIN = { token: 'plat_dv_kept', id: 'dev_1', email: 'ada@example.com', tenant_id: 'tnt_1' };

/** Returns an environment with a login to a server as the current profile. */
export function loggedInTo({ baseUrl }: { readonly baseUrl: string }, more: Record<string, unknown> = {}) {
  return homeWith({
    version: 1,
    current: 'it',
    profiles: { it: { base_url: baseUrl, developer: LOGIN, ...more } },
  });
}

/** Returns an environment with a home folder that contains this file. */
export function homeWith(credentials: unknown): Readonly<Record<string, string>> {
  const HOME = emptyFolder();
  mkdirSync(join(HOME, '.config', 'plat'), { recursive: true });
  const text = typeof credentials === 'string' ? credentials : JSON.stringify(credentials);
  writeFileSync(join(HOME, '.config', 'plat', 'credentials.json'), text, { mode: 0o600 });
  return { HOME };
}
