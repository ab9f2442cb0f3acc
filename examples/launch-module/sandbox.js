import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

/**
 * The issuer of the sandbox on this machine, as `npm start` wrote it down. For development: in production the issuer is
 * something that you are told, and configure.
 * @returns {Promise<string>}
 */
export async function findIssuer() {
  const path = resolve(process.env.PLAT_DATA_DIR || '.plat', 'sandbox.json');
  try {
    return JSON.parse(await readFile(path, 'utf8')).base_url;
  } catch {
    throw new Error(
      `There is no PLAT_ISSUER, and no sandbox in ${path}. Either
  start one with "npm start" and run this in the same folder, or
  set PLAT_ISSUER to the issuer of the platform, for example https://platform.example.com.`,
    );
  }
}
