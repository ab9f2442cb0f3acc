import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from './paths.mjs';
import { runQuiet } from './run.mjs';

/** @typedef {{ name: string, folder: string, manifest: Record<string, any>, tarball: string }} Packed */

/** Names the folder of the tarballs for the processes of one run: npm needs ten seconds of processor time to pack. */
const SHARED = 'PLAT_PACKED';

let packing;

/**
 * Packs every published package as `npm publish` would. A process packs once, and later calls return the same result, also in the
 * processes that it starts.
 * @returns {Promise<Packed[]>}
 */
export function packedPackages() {
  packing ??= pack();
  return packing;
}

async function pack() {
  const shared = process.env[SHARED];
  if (shared !== undefined) return publishedIn(shared);
  const folder = mkdtempSync(join(tmpdir(), 'plat-packed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const packed = await packInto(folder);
  process.env[SHARED] = folder;
  return packed;
}

/**
 * Packs every published package into a folder, as `npm publish` would.
 * @param {string} folder
 * @returns {Promise<Packed[]>}
 */
export async function packInto(folder) {
  const workspaces = published().flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder, ...workspaces];
  const { ok, output } = await runQuiet('npm', args);
  if (!ok) throw new Error(`npm pack failed:\n${output}`);
  return publishedIn(folder);
}

function publishedIn(folder) {
  return published().map(({ name, folder: source, manifest }) => ({
    name,
    folder: source,
    manifest,
    tarball: join(folder, `${name.slice(1).replace('/', '-')}-${manifest.version}.tgz`),
  }));
}

function published() {
  return packages().filter((entry) => entry.published);
}

/**
 * Returns a package and the packages of this repository that it requires at run time, each once.
 * @param {readonly Packed[]} all
 * @param {string} name
 * @returns {Packed[]}
 */
export function withOwnDependencies(all, name, found = new Set()) {
  const entry = all.find((each) => each.name === name);
  if (!entry || found.has(entry)) return [...found];
  found.add(entry);
  for (const dependency of Object.keys(entry.manifest.dependencies ?? {})) withOwnDependencies(all, dependency, found);
  return [...found];
}

/** Returns the names that a package can be imported by. */
export function entryPoints({ name, manifest }) {
  return Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => `${name}${path.slice(1)}`);
}
