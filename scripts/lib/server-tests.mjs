import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { at, root } from './paths.mjs';

const SEARCH = at('tests', 'support', 'find-servers.ts');
/** Long files that need not run once more, because little of them depends on a server: the reasons. */
const OMITTED = {
  'tests/stories/sdk-oauth.test.ts': 'its stores are those of sdk-grant-stores, which runs once more',
  'tests/tools/doc-samples.test.ts': 'one row is a receiver in Python',
  'tests/tools/nextjs-saas.test.ts': 'one of its two tests needs Next.js, and the other one no server',
};
const INJECTS = /inject\('(shells|runtimes)'\)/;

/**
 * Returns the test files that use an optional server. They import the search for servers, directly or through other files, or they
 * inject the programs that vitest's configuration found.
 */
export function serverTests() {
  const files = ['tests', 'packages'].flatMap((folder) =>
    readdirSync(at(folder), { recursive: true })
      .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
      .map((path) => at(folder, path)),
  );
  const found = files.filter((file) => {
    const imported = [...importsOf(file)];
    return imported.includes(SEARCH) || imported.some((path) => INJECTS.test(readFileSync(path, 'utf8')));
  });
  if (found.length === 0)
    throw new Error(`No test imports ${relative(root, SEARCH)}: its path in ${import.meta.url} is wrong`);
  const names = found.map((file) => relative(root, file));
  const unknown = Object.keys(OMITTED).filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown} use no optional server: remove them from OMITTED`);
  return names.filter((name) => !(name in OMITTED));
}

/** Returns the file and all files that it imports by relative paths. Tests also contain imports of fictitious files in strings. */
function importsOf(file, seen = new Set()) {
  if (seen.has(file) || !existsSync(file)) return seen;
  seen.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+\.ts)'/g))
    importsOf(resolve(dirname(file), path), seen);
  return seen;
}
