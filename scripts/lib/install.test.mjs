import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnNode } from '../../tests/support/process.ts';
import { tempFolder } from '../../tests/support/temp-folder.ts';
import { root } from './paths.mjs';

const wanted = { version: '1.0.0', integrity: 'sha512-a', cpu: ['x64'], libc: ['glibc'], optional: true };

test.each([
  ['npm 11 installed is not installed again', wanted, 0],
  ['npm 10 installed is not installed again', { ...wanted, libc: undefined }, 0],
  ['has another integrity is installed again', { ...wanted, integrity: 'sha512-b' }, 1],
])('a package that %s', async (_, installed, code) => {
  const { path, remove } = tempFolder('installed');
  onTestFinished(remove);
  cpSync(join(root, 'scripts', 'lib'), join(path, 'scripts', 'lib'), { recursive: true });
  mkdirSync(join(path, 'node_modules'));
  const write = (file, found) =>
    writeFileSync(join(path, file), JSON.stringify({ packages: { 'node_modules/a': found } }));
  write('package-lock.json', wanted);
  write('node_modules/.package-lock.json', installed);
  const file = join(path, 'scripts', 'try.mjs');
  writeFileSync(file, "await (await import('./lib/install.mjs')).ensureInstalled();");
  const tried = spawnNode(file, {
    env: { npm_execpath: join(path, 'no-npm.js'), npm_node_execpath: process.execPath },
  });
  expect(await tried.exited, tried.stderr()).toMatchObject({ code });
});
