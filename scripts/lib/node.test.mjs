import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnNode } from '../../tests/support/process.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { expectNode } from './node.mjs';
import { root } from './paths.mjs';

/** Runs code in a folder like a clone, where npm brought a Node whose loader this machine lacks, like Alpine Linux. */
function runBesideBrokenNode(code) {
  const { path } = tempFolder('broken-node');
  cpSync(join(root, 'scripts', 'lib'), join(path, 'scripts', 'lib'), { recursive: true });
  const bin = join(path, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'node'), '#!/lib/no-such-loader\n', { mode: 0o755 });
  const file = join(path, 'scripts', 'try.mjs');
  writeFileSync(file, code);
  return spawnNode(file, { env: { npm_lifecycle_event: 'start' } });
}

test('a brought Node that does not run here is not used', async () => {
  const tried = runBesideBrokenNode("console.log((await import('./lib/node.mjs')).nodeBinary());");
  expect(await tried.exited).toMatchObject({ code: 0 });
  expect(existsSync(tried.stdout().trim())).toBe(true);
  expect(tried.stdout()).not.toContain('broken-node');
});

test('a program that cannot be started ends the script with its error', async () => {
  const tried = runBesideBrokenNode(`
    import { main } from './lib/bootstrap.mjs';
    import { runForeground } from './lib/run.mjs';
    await main(() => runForeground('/no/such/node', []));
  `);
  expect(await tried.exited).toMatchObject({ code: 1 });
  expect(tried.stderr()).toBe('spawn /no/such/node ENOENT\n');
});

const glibc = () => false;

test.each([
  { platform: 'linux', arch: 'x64', version: '20.19.0', isMusl: glibc },
  { platform: 'darwin', arch: 'arm64', version: '20.19.0', isMusl: glibc },
  { platform: 'darwin', arch: 'x64', version: '20.19.0', isMusl: glibc },
  { platform: 'win32', arch: 'arm64', version: '20.19.0', isMusl: glibc },
  { platform: 'linux', arch: 'x64', version: '22.13.0', isMusl: () => true },
  { platform: 'freebsd', arch: 'x64', version: '24.0.0', isMusl: glibc },
])('$platform $arch with Node $version gets a Node that runs', (machine) => {
  expect(() => expectNode(machine)).not.toThrow();
});

test.each([
  { platform: 'linux', arch: 'x64', version: '22.12.0', isMusl: () => true },
  { platform: 'freebsd', arch: 'x64', version: '20.19.0', isMusl: glibc },
])('$platform $arch with Node $version is told before the installation', (machine) => {
  expect(() => expectNode(machine)).toThrow(/is too old.*Install Node 22\.13 or later/);
});
