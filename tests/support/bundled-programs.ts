import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/* A bundle of one of our programs starts with a third of the CPU time that its 1,300 modules need. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = join(root, 'node_modules', '.cache', 'plat', 'programs');

/** The programs that stories start as processes, most of them many times. */
const PROGRAMS = ['packages/server/src/main.ts', 'packages/cli/src/main.ts', ...processesOf('tests/support')];

/** Files whose change makes a new bundle. */
const SOURCES = ['packages/*/src/**/*.ts', 'packages/*/package.json', 'tests/support/*.ts', 'package-lock.json'];

/**
 * Returns the bundle of each program by its path in the repository. Bundles are made from the sources when one of these has changed;
 * afterwards all processes and runs share them.
 */
export async function bundledPrograms(): Promise<ReadonlyMap<string, string>> {
  const target = join(folder, fingerprint());
  if (!existsSync(target)) await bundle(target);
  return new Map(PROGRAMS.map((path) => [path, join(target, `${nameOf(path)}.js`)]));
}

/** Gives CommonJS packages their `require`, for modules whose names they compute. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module';
const require = requireOf(${JSON.stringify(join(root, 'packages/server/package.json'))});`;

async function bundle(target: string): Promise<void> {
  const { rolldown } = await import('rolldown');
  const unfinished = `${target}-${randomUUID()}`;
  const made = await rolldown({
    input: Object.fromEntries(PROGRAMS.map((path) => [nameOf(path), join(root, path)])),
    cwd: root,
    platform: 'node',
    logLevel: 'silent',
    resolve: { conditionNames: ['@plat/source', 'node', 'require'] },
    plugins: [{ name: 'in-place', transform: adapt }],
  });
  // Without comments and spaces it loads faster. Names stay, for stack traces.
  const minify = { mangle: false, compress: true, codegen: true } as const;
  await made.write({ dir: unfinished, format: 'esm', banner: REQUIRE, minify });
  writeFileSync(join(unfinished, 'package.json'), '{"type":"module"}');
  await made.close();
  mkdirSync(folder, { recursive: true });
  removeOld();
  try {
    renameSync(unfinished, target);
  } catch (error) {
    // Another process has made the same bundle.
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
}

/**
 * Our modules find the files that lie beside their sources. Packages run in the strict mode of the bundle, where
 * `arguments.callee` throws; they pass it only as the first frame to omit from a stack.
 */
function adapt(code: string, id: string): string | undefined {
  if (id.includes('node_modules')) return code.replaceAll('arguments.callee', 'undefined');
  if (!id.startsWith(root) || !code.includes('import.meta.')) return undefined;
  return code
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
    .replaceAll('import.meta.filename', JSON.stringify(id));
}

function fingerprint(): string {
  const hash = createHash('sha256').update(process.version);
  for (const path of globSync(SOURCES, { cwd: root }).sort()) {
    const { mtimeMs, size } = statSync(join(root, path));
    hash.update(`${path} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

const HOUR_MS = 3_600_000;

/** Another run may still use a bundle that is younger than an hour. */
function removeOld(): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    // Another process may remove or rename it at the same time.
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - made > HOUR_MS) rmSync(path, { recursive: true, force: true });
  }
}

function processesOf(path: string): readonly string[] {
  return globSync(`${path}/{killed,acting,housekeeping,launched}-*.ts`, { cwd: root });
}

function nameOf(path: string): string {
  return path.startsWith('packages/') ? `${path.split('/')[1]}-main` : basename(path, '.ts');
}
