import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { entryPoints, packedPackages } from '../lib/pack.mjs';
import { at } from '../lib/paths.mjs';
import { runQuiet } from '../lib/run.mjs';

/**
 * Checks that every entry point of every packed package loads by `import` and `require`, and that its types compile, with the declared
 * dependencies only.
 */
export const packedImports = {
  name: 'Packed packages load by import and by require, and compile',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plat-consumer-'));
    try {
      const packed = await packedPackages();
      for (const each of packed) await unpack(each, folder);
      const all = packed.flatMap(entryPoints);
      writeFileSync(join(folder, 'load.mjs'), loadAll(all, 'await import'));
      writeFileSync(join(folder, 'load.cjs'), loadAll(all, 'require'));
      // Client packages support older versions of Node than this one. The Node that started npm represents them.
      const clients = packed.filter(({ manifest }) => manifest.engines.node === '>=20.19').flatMap(entryPoints);
      writeFileSync(join(folder, 'clients.mjs'), loadAll(clients, 'await import'));
      writeFileSync(join(folder, 'clients.cjs'), loadAll(clients, 'require'));
      // Without `skipLibCheck` a consumer's compiler also reads the types that our types import.
      link(join(folder, 'node_modules'), '@types/node', at('node_modules/@types/node'));
      writeFileSync(join(folder, 'types.mts'), all.map((name, n) => `export * as e${n} from '${name}';\n`).join(''));
      const compile = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'];
      const outerNode = process.env.npm_node_execpath ?? process.execPath;
      const runs = [
        [process.execPath, 'load.mjs'],
        [process.execPath, 'load.cjs'],
        [outerNode, 'clients.mjs'],
        [outerNode, 'clients.cjs'],
      ];
      const results = await Promise.all([
        ...runs.map(([node, file]) => runQuiet(node, ['--no-warnings', file], { cwd: folder })),
        runQuiet('tsc', [...compile, '--lib', 'es2024,dom,dom.iterable', 'types.mts'], { cwd: folder }),
      ]);
      return { ok: results.every(({ ok }) => ok), output: results.map(({ output }) => output).join('') };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function unpack({ name, folder, manifest, tarball }, consumer) {
  const home = join(consumer, 'node_modules', name);
  mkdirSync(home, { recursive: true });
  const { ok, output } = await runQuiet('tar', ['-xzf', tarball, '--strip-components=1', '-C', home]);
  if (!ok) throw new Error(output);
  // Only declared dependencies are installed, so an undeclared import fails here as it would for a consumer.
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  for (const dependency of declared.filter((each) => !each.startsWith('@plat/'))) {
    const own = join(folder, 'node_modules', dependency);
    link(join(home, 'node_modules'), dependency, existsSync(own) ? own : at('node_modules', dependency));
  }
}

function link(modules, name, target) {
  const path = join(modules, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, 'junction');
}

/** Returns a program that loads each name and prints those that did not load or exported nothing. */
function loadAll(names, how) {
  return `let failed = 0;
${names
  .map(
    (name) => `try {
  if (Object.keys(${how}('${name}')).length === 0) throw new Error('exports nothing');
} catch (error) {
  failed += 1;
  console.error("${how}('${name}'):", error.message);
}`,
  )
  .join('\n')}
process.exit(failed === 0 ? 0 : 1);
`;
}
