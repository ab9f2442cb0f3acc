import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { at, packages, readJson, root } from './paths.mjs';

/** Terms that each package is found by on the registry. */
const KEYWORDS = ['platform-api', 'multi-tenant'];

/**
 * Returns the files of the published packages that repeat what the root's package.json and LICENSE say, with their content.
 * They are package.json (`repository`, `homepage`, `bugs`), the license, the README (absolute links), and the version that
 * the SDK sends.
 * @returns {{ path: string, content: string }[]}
 */
export function metadataFiles() {
  const site = repositoryPage();
  const license = readFileSync(at('LICENSE'), 'utf8');
  const files = packages()
    .filter(({ published }) => published)
    .flatMap(({ folder, manifest }) => {
      const directory = relative(root, folder).replaceAll('\\', '/');
      const readme = join(folder, 'README.md');
      return [
        {
          path: join(folder, 'package.json'),
          content: `${JSON.stringify(manifestOf(manifest, site, directory), null, 2)}\n`,
        },
        { path: join(folder, 'LICENSE'), content: license },
        { path: readme, content: withAbsoluteLinks(readFileSync(readme, 'utf8'), site, directory) },
      ];
    });
  return [...files, sdkVersion()];
}

/** Writes the files of {@link metadataFiles} that differ, and returns their paths. */
export function writeMetadata() {
  const changed = differentMetadata();
  for (const { path, content } of changed) writeFileSync(path, content);
  return changed.map(({ path }) => relative(root, path));
}

/** Returns the files of {@link metadataFiles} whose content differs. */
export function differentMetadata() {
  return metadataFiles().filter(({ path, content }) => !existsSync(path) || readFileSync(path, 'utf8') !== content);
}

/** Returns the address of the repository's page. */
export function repositoryPage() {
  const { url } = readJson(at('package.json')).repository;
  return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

function manifestOf(manifest, site, directory) {
  const { name, version, description, keywords = [], license, ...others } = manifest;
  for (const key of ['repository', 'homepage', 'bugs']) delete others[key];
  if (manifest.scripts?.build.includes('build-package')) Object.assign(others, entriesOf(manifest.exports));
  return {
    name,
    version,
    description,
    keywords: [...new Set([...keywords, ...KEYWORDS])],
    license,
    repository: { type: 'git', url: `git+${site}.git`, directory },
    homepage: `${site}/tree/main/${directory}#readme`,
    bugs: `${site}/issues`,
    ...others,
  };
}

/**
 * Returns the entries of a package that is also built as CommonJS. Node loads the ES module by `import` and by `require`
 * (`module-sync`), so that a program has each class once. Jest and older bundlers, which cannot, load the CommonJS build.
 * `main`, `types` and `typesVersions` are for compilers that ignore `exports` (`moduleResolution: node10`).
 */
function entriesOf(exports) {
  const entries = Object.entries(exports).filter(([, conditions]) => typeof conditions === 'object');
  const pathsOf = ({ '@plat/source': source }) => {
    const path = source.replace(/^\.\/src\/|\.ts$/g, '');
    return { module: `./dist/${path}`, common: `./dist/cjs/${path}` };
  };
  const conditionsOf = (conditions) => {
    const { module, common } = pathsOf(conditions);
    const { types: _types, import: _import, require: _require, default: _default, ...others } = conditions;
    const { 'module-sync': _sync, ...own } = others;
    const asModule = { types: `${module}.d.ts`, default: `${module}.js` };
    return {
      ...own,
      'module-sync': asModule,
      import: asModule,
      require: { types: `${common}.d.cts`, default: `${common}.cjs` },
      default: `${module}.js`,
    };
  };
  const { common: main } = pathsOf(exports['.']);
  const typed = entries
    .filter(([name]) => name !== '.')
    .map(([name, conditions]) => [name.slice(2), [`${pathsOf(conditions).common}.d.cts`]]);
  return {
    main: `${main}.cjs`,
    types: `${main}.d.cts`,
    ...(typed.length > 0 && { typesVersions: { '*': Object.fromEntries(typed) } }),
    exports: Object.fromEntries(
      Object.entries(exports).map(([name, each]) => [name, typeof each === 'object' ? conditionsOf(each) : each]),
    ),
  };
}

/** The registry shows a README away from the repository, where relative links lead nowhere. */
function withAbsoluteLinks(markdown, site, directory) {
  return markdown.replace(/\]\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_whole, target) => {
    const [path, anchor] = target.split('#');
    const kind = posix.extname(path) === '' ? 'tree' : 'blob';
    return `](${site}/${kind}/main/${posix.join(directory, path)}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}

/** The SDK cannot read its package.json in a browser, so its version is also in a module. */
function sdkVersion() {
  const path = at('packages', 'sdk', 'src', 'version.ts');
  const { version } = readJson(at('packages', 'sdk', 'package.json'));
  return { path, content: readFileSync(path, 'utf8').replace(/(?<=VERSION = ')[^']*/, version) };
}
