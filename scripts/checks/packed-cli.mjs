import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packedPackages } from '../lib/pack.mjs';
import { runQuiet } from '../lib/run.mjs';

const MOST_PACKAGES = 5;
const MOST_BYTES = 5e6;
/** Block size of most file systems, in bytes. A file takes a whole number of blocks. */
const BLOCK = 4096;
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];

/** Checks that `npm install @plat/cli` installs little, only packages of this repository, and runs no script. */
export const packedCli = {
  name: 'The packed CLI is light and runs nothing when it is installed',
  run: async () => {
    const packed = new Map((await packedPackages()).map((each) => [each.name, each]));
    const installed = new Set(['@plat/cli']);
    const problems = [];
    let bytes = 0;
    for (const name of installed) {
      const each = packed.get(name);
      if (!each) {
        problems.push(`${name} is not ours: put it into the bundle (docs/decisions/027)`);
        continue;
      }
      for (const dependency of Object.keys(each.manifest.dependencies ?? {})) installed.add(dependency);
      const scripts = INSTALL_SCRIPTS.filter((script) => each.manifest.scripts?.[script]);
      if (scripts.length > 0) problems.push(`${name} runs ${scripts.join(', ')}`);
      bytes += await sizeOf(each.tarball);
    }
    if (installed.size > MOST_PACKAGES) problems.push(`${installed.size} packages; ${MOST_PACKAGES} at most`);
    if (bytes > MOST_BYTES) problems.push(`${bytes} bytes on the disk; ${MOST_BYTES} at most`);
    return { ok: problems.length === 0, output: problems.join('\n') };
  },
};

/** Bytes on the disk. */
async function sizeOf(tarball) {
  const folder = mkdtempSync(join(tmpdir(), 'plat-weight-'));
  try {
    const { ok, output } = await runQuiet('tar', ['-xzf', tarball, '-C', folder]);
    if (!ok) throw new Error(output);
    const files = readdirSync(folder, { recursive: true }).map((file) => statSync(join(folder, file)));
    return files.reduce((sum, { size }) => sum + Math.ceil(size / BLOCK) * BLOCK, 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
