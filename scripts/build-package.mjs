// In the folder of a package that programs import, after the compiler wrote its types: writes its modules. Each entry and what
// entries share becomes one file, because Node needs about half a millisecond for each file that it imports. The same files as
// CommonJS are for Jest, for programs that compile to CommonJS, and for bundlers that require. Node loads the ES modules in both
// cases.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { RolldownMagicString, rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

const MODULES = 'dist';
const COMMON = join('dist', 'cjs');
const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const OTHER_PACKAGES = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).filter(
  (name) => name !== '@plat/contract',
);
const COMPUTATIONS = ['CallExpression', 'NewExpression', 'SpreadElement', 'MemberExpression', 'TemplateLiteral'];

rmSync(COMMON, { recursive: true, force: true });
removeModules(MODULES);
writeCommonTypes();
await writeModules();

/** Removes the modules of former builds. The types stay: the compiler writes only those that changed. */
function removeModules(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (/\.js(\.map)?$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}

async function writeModules() {
  const { exports, imports } = manifest;
  const bundle = await bundleOf(entriesOf([exports, imports]));
  const shared = { sourcemap: true, sourcemapExcludeSources: true, comments: { jsdoc: false } };
  const codeSplitting = { groups: sharedFiles(await modulesUsedBy(entriesOf(exports['.'])[0])) };
  const plugins = [{ name: 'droppable', renderChunk: droppable }];
  await bundle.write({ ...shared, codeSplitting, dir: MODULES, format: 'esm', ...named('.js'), plugins });
  await bundle.write({
    ...shared,
    codeSplitting,
    dir: COMMON,
    format: 'cjs',
    esModule: true,
    dynamicImportInCjs: false,
    ...named('.cjs'),
  });
  await bundle.close();
}

function bundleOf(paths) {
  return rolldown({
    input: Object.fromEntries(paths.map((path) => [path, sourceOf(path)])),
    // The consumer's platform chooses the modules of `imports`. The contract is data, and each package takes what it uses of it.
    // The other packages have classes, of which a program must have one copy.
    external: (id) => /^(node:|#)/.test(id) || OTHER_PACKAGES.some((name) => id === name || id.startsWith(`${name}/`)),
    resolve: { conditionNames: ['@plat/source', 'import'] },
    platform: 'neutral',
    transform: { target: 'es2023' },
  });
}

/** Returns the modules of which an entry uses something. It imports more: the index of the contract leads to all of it. */
async function modulesUsedBy(path) {
  const bundle = await bundleOf([path]);
  const { output } = await bundle.generate({ codeSplitting: false });
  await bundle.close();
  return new Set(output.flatMap(({ moduleIds = [] }) => moduleIds));
}

/**
 * Returns two shared files for modules that the main entry has in common with other entries. `core` has those that run
 * everywhere, `main` those that depend on the platform. So no file for browsers imports a module of Node.
 */
function sharedFiles(usedByMain) {
  const isShared = (id, context) => usedByMain.has(id) && entriesReaching(id, context).size > 1;
  const runsEverywhere = (id, context) =>
    [...reached(id, (each) => context.getModuleInfo(each)?.importedIds ?? [])].every(
      (each) => !/^(node:|#)/.test(each),
    );
  const group = (name, priority, belongs) => ({
    debugName: name,
    priority,
    name: (id, context) => (isShared(id, context) && belongs(id, context) ? name : null),
  });
  return [group('core', 2, runsEverywhere), group('main', 1, () => true)];
}

/**
 * Marks each constant of a file that takes a computation as free of side effects, which `sideEffects: false` says only of whole
 * files. Bundlers then drop what a program does not use.
 */
function droppable(code) {
  const statements = parseAst(code).body.map((each) => each.declaration ?? each);
  const computed = statements
    .flatMap((each) => (each.type === 'VariableDeclaration' ? each.declarations : []))
    .map(({ init }) => init)
    .filter((init) => init !== null && computes(init));
  const changed = new RolldownMagicString(code);
  for (const { start, end } of computed) {
    changed.appendLeft(start, '/* @__PURE__ */ (() => (');
    changed.appendRight(end, '))()');
  }
  return { code: changed };
}

/** Returns true if making a value runs code. The code of functions runs later. */
function computes(node) {
  if (COMPUTATIONS.includes(node.type)) return true;
  if (/Function|Class/.test(node.type)) return false;
  return Object.values(node)
    .flat()
    .some((each) => typeof each?.type === 'string' && computes(each));
}

function entriesReaching(id, context) {
  const importers = reached(id, (each) => context.getModuleInfo(each)?.importers ?? []);
  return new Set([...importers].filter((each) => context.getModuleInfo(each)?.isEntry));
}

/** Returns a module and all that it leads to. */
function reached(id, next) {
  const found = new Set([id]);
  for (const each of found) for (const other of next(each)) found.add(other);
  return found;
}

function sourceOf(path) {
  return resolve('src', `${path}.ts`);
}

/** Returns the paths of the modules that a manifest names, without folder and ending. */
function entriesOf(manifest) {
  const targets = JSON.stringify(manifest).matchAll(/"\.\/dist\/(?!cjs\/)([^"]+)\.js"/g);
  return [...new Set(Array.from(targets, ([, path]) => path))];
}

function named(ending) {
  return { entryFileNames: `[name]${ending}`, chunkFileNames: `shared/[name]${ending}` };
}

/** Writes the types of the CommonJS build. A package with "type": "module" has CommonJS in files with these endings. */
function writeCommonTypes() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const options = {
    outDir: COMMON,
    module: 'CommonJS',
    moduleResolution: 'Bundler',
    verbatimModuleSyntax: false,
    composite: false,
    incremental: false,
    tsBuildInfoFile: null,
    declarationMap: false,
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json', ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  for (const entry of readdirSync(COMMON, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith('.d.ts')) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/((?:require|import)\(|from )(['"])(\.\.?\/[^'"]+)\.[jt]s\2/g, '$1$2$3.cjs$2'));
    renameSync(path, path.replace(/\.d\.ts$/, '.d.cts'));
  }
}
