// Second step of the build: bundles the commands with their dependencies into a few files. An installed plat is then two
// packages, and reads little at its start. Types come from the compiler; its other output is not part of the package.
import { copyFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const target = folder('../bundle');

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  input: { main: folder('../dist/main.js'), index: folder('../dist/index.js') },
  platform: 'node',
  // From the sources, because a built package has its own copy of what it uses of the contract.
  resolve: { conditionNames: ['@plat/source', 'node', 'import'] },
});
await bundle.write({ dir: target, format: 'esm', chunkFileNames: '[name].js', comments: { jsdoc: false } });
await bundle.close();
// Its licence asks to go along with it.
const commander = dirname(fileURLToPath(import.meta.resolve('commander')));
copyFileSync(join(commander, 'LICENSE'), join(target, 'commander.LICENSE'));
