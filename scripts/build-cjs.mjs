// In the folder of a package, after its build: writes the same modules as CommonJS into dist/cjs, for Jest, for programs that
// compile to CommonJS, and for bundlers that require. Node loads the ES modules in both cases.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const target = join('dist', 'cjs');
rmSync(target, { recursive: true, force: true });
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
const options = {
  outDir: target,
  module: 'CommonJS',
  moduleResolution: 'Bundler',
  verbatimModuleSyntax: false,
  composite: false,
  incremental: false,
  tsBuildInfoFile: null,
  sourceMap: false,
  declarationMap: false,
};
const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json', ...args], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

// A package with "type": "module" has CommonJS in files with these endings.
const ENDINGS = [
  ['.d.ts', '.d.cts'],
  ['.js', '.cjs'],
];
for (const entry of readdirSync(target, { recursive: true, withFileTypes: true })) {
  const [from, to] = ENDINGS.find(([ending]) => entry.name.endsWith(ending)) ?? [];
  if (!entry.isFile() || from === undefined) continue;
  const path = join(entry.parentPath, entry.name);
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/((?:require|import)\(|from )(['"])(\.\.?\/[^'"]+)\.[jt]s\2/g, '$1$2$3.cjs$2'));
  renameSync(path, `${path.slice(0, -from.length)}${to}`);
}
