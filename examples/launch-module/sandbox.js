import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/**
 * Returns the issuer of the sandbox on this machine, from the file that `npm start` writes. For development only: in
 * production, the operator of the platform gives you the issuer to configure.
 * @returns {Promise<string>}
 */
export async function findIssuer() {
  const path = resolve(process.env.PLAT_DATA_DIR || '.plat', 'sandbox.json');
  try {
    return JSON.parse(await readFile(path, 'utf8')).base_url;
  } catch {
    throw new Error(
      `PLAT_ISSUER is not set, and there is no sandbox in ${path}. Either
  start one with "npm start" and run this in the same folder, or
  set PLAT_ISSUER to the issuer of the platform, for example https://platform.example.com.`,
    );
  }
}
