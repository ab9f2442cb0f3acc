import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root folder. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A path inside the repository. */
export const at = (...parts) => join(root, ...parts);

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Every package under packages/, with its folder and its package.json; `published` are those that are not private. */
export function packages() {
  return readdirSync(at('packages'))
    .map((folder) => at('packages', folder))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readJson(join(folder, 'package.json')) }))
    .map((entry) => ({ ...entry, name: entry.manifest.name, published: entry.manifest.private !== true }));
}
