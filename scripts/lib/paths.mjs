import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns a path inside the repository. */
export const at = (...parts) => join(root, ...parts);

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Returns every package below packages/ with its folder and package.json. `published` is false for private ones. */
export function packages() {
  return readdirSync(at('packages'))
    .map((folder) => at('packages', folder))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
    .map((entry) => ({ ...entry, name: entry.manifest.name, published: entry.manifest.private !== true }));
}
