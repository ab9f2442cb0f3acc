import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from './paths.mjs';
import { runQuiet } from './run.mjs';

/** @typedef {{ name: string, folder: string, manifest: Record<string, any>, tarball: string }} Packed */

let packing;

/**
 * Packs every published package as `npm publish` would; once for a process, however often it is asked for.
 * @returns {Promise<Packed[]>}
 */
export function packedPackages() {
  packing ??= pack();
  return packing;
}

async function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'plat-packed-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const published = packages().filter((entry) => entry.published);
  const workspaces = published.flatMap(({ name }) => ['--workspace', name]);
  const args = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder, ...workspaces];
  const { ok, output } = await runQuiet('npm', args, { shell: process.platform === 'win32' });
  if (!ok) throw new Error(`npm pack failed:\n${output}`);
  return published.map(({ name, folder: source, manifest }) => ({
    name,
    folder: source,
    manifest,
    tarball: join(folder, `${name.slice(1).replace('/', '-')}-${manifest.version}.tgz`),
  }));
}

/** The names one can import a package by. */
export function entryPoints({ name, manifest }) {
  return Object.keys(manifest.exports)
    .filter((path) => path !== './package.json')
    .map((path) => `${name}${path.slice(1)}`);
}
