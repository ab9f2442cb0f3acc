import { cpSync, existsSync, mkdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnNode } from '../../tests/support/process.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { expectNode } from './node.mjs';
import { root } from './paths.mjs';

/** Runs code in a folder like a clone, where npm brought a Node without a link to it, as npm 10 does. */
function runBeside(interpreter, code) {
  const { path, remove } = tempFolder('brought-node');
  onTestFinished(remove);
  for (const part of ['scripts/lib', 'packages/server/package.json']) {
    cpSync(join(root, part), join(path, part), { recursive: true });
  }
  const bin = join(path, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
  mkdirSync(bin, { recursive: true });
  mkdirSync(join(path, 'node_modules', '.bin'));
  writeFileSync(join(bin, 'node'), `#!${interpreter}\n`, { mode: 0o755 });
  const file = join(path, 'scripts', 'try.mjs');
  writeFileSync(file, code);
  return { path, tried: spawnNode(file, { env: { npm_lifecycle_event: 'start' } }) };
}

/** A Node whose loader this machine lacks, like Alpine Linux. */
const runBesideBrokenNode = (code) => runBeside('/lib/no-such-loader', code).tried;

test('the brought Node is the one of npx and of the scripts of packages', async () => {
  const { path, tried } = runBeside('/bin/sh', "(await import('./lib/node.mjs')).linkNode();");
  expect(await tried.exited).toMatchObject({ code: 0 });
  expect(readlinkSync(join(path, 'node_modules', '.bin', 'node'))).toMatch(/^\.\.\/node-\w+-\w+\/bin\/node$/);
});

test('a brought Node that does not run here gets no link', async () => {
  const { path, tried } = runBeside('/lib/no-such-loader', "(await import('./lib/node.mjs')).linkNode();");
  expect(await tried.exited).toMatchObject({ code: 0 });
  expect(existsSync(join(path, 'node_modules', '.bin', 'node'))).toBe(false);
});

test('a brought Node that does not run here is not used', async () => {
  const tried = runBesideBrokenNode("console.log((await import('./lib/node.mjs')).nodeBinary());");
  expect(await tried.exited).toMatchObject({ code: 0 });
  expect(existsSync(tried.stdout().trim())).toBe(true);
  expect(tried.stdout()).not.toContain('brought-node');
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
  { platform: 'linux', arch: 'x64', version: '22.16.0', isMusl: () => true },
  { platform: 'freebsd', arch: 'x64', version: '24.0.0', isMusl: glibc },
])('$platform $arch with Node $version gets a Node that runs', (machine) => {
  expect(() => expectNode(machine)).not.toThrow();
});

test.each([
  { platform: 'linux', arch: 'x64', version: '22.15.1', isMusl: () => true },
  { platform: 'freebsd', arch: 'x64', version: '20.19.0', isMusl: glibc },
])('$platform $arch with Node $version is told before the installation', (machine) => {
  expect(() => expectNode(machine)).toThrow(/is too old.*Install Node 22\.16 or later/);
});
