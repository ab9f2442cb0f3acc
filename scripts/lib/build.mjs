import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { at, packages, root } from './paths.mjs';
import { progress } from './progress.mjs';
import { runQuiet } from './run.mjs';

/** Inputs of every package. */
const SHARED = ['tsconfig.base.json', 'turbo.json', 'scripts/build-package.mjs'];
const stamp = at('node_modules', '.cache', 'plat', 'built');

/**
 * Builds the packages unless nothing changed since the last build. Comparing some hundred files is faster than starting turbo, which
 * keeps a second `npm start` fast.
 * @throws Error with the compiler's output when the build fails
 */
export async function ensureBuilt() {
  const wanted = fingerprint();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted && allBuilt()) return;
  const bar = progress('Building');
  const { ok, output } = await runQuiet('turbo', ['run', 'build', '--output-logs=errors-only'], {
    onLine: (line) => bar.say(line),
  });
  if (!ok) {
    bar.fail();
    throw new Error(`The build failed:\n${output.trim()}`);
  }
  bar.done();
  for (const { folder } of packages()) removeOrphans(join(folder, 'dist'), join(folder, 'src'));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

function allBuilt() {
  return packages().every(
    ({ folder, manifest }) =>
      existsSync(join(folder, 'dist', '.tsbuildinfo')) && existsSync(join(folder, manifest.exports['.'].default)),
  );
}

/** Returns names, sizes and times of the files that a build reads. */
function fingerprint() {
  const hash = createHash('sha256');
  const inputs = packages().flatMap(({ folder }) => [
    ...['package.json', 'tsconfig.json'].map((file) => join(folder, file)),
    ...files(join(folder, 'scripts')),
    ...files(join(folder, 'src')).filter((file) => !file.endsWith('.test.ts')),
  ]);
  for (const file of [...SHARED.map((file) => at(file)), ...inputs, ...documents()].sort()) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${relative(root, file)}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The Markdown that the server's build makes into the documentation. */
function documents() {
  const markdown = [root, at('.changeset'), ...['packages', 'examples'].flatMap((name) => folders(at(name)))].flatMap(
    (folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.md'))
        .map((name) => join(folder, name)),
  );
  return [...markdown, ...files(at('docs'))];
}

function folders(parent) {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(parent, name));
}

/** Deletes the output of deleted or renamed sources. The compiler leaves it, and it would be published. */
function removeOrphans(dist, src) {
  const compiled = files(dist).filter((file) => existsSync(file.replace(/(\.js|\.d\.ts)(\.map)?$/, '.d.ts')));
  for (const file of compiled) {
    const source = relative(dist, file).replace(/\.(js|d\.ts)(\.map)?$/, '.ts');
    if (source.endsWith('.ts') && !existsSync(join(src, source))) rmSync(file);
  }
}

function files(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
