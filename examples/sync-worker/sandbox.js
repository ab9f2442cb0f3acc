import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Platform } from '@plat/sdk';

/** Returns a client of the platform of PLAT_BASE_URL and PLAT_API_KEY, or of the sandbox that `npm start` runs. */
export async function connect() {
  if (process.env.PLAT_API_KEY) return new Platform();
  const path = resolve(process.env.PLAT_DATA_DIR || '.plat', 'sandbox.json');
  const sandbox = await readFile(path, 'utf8').then(JSON.parse, () => undefined);
  if (sandbox) return new Platform({ baseUrl: sandbox.base_url, apiKey: sandbox.api_key });
  console.error(`There is no sandbox in ${path}. Either
  start one with "npm start" and run this in the same folder, or
  set PLAT_BASE_URL and PLAT_API_KEY.`);
  process.exit(1);
}
