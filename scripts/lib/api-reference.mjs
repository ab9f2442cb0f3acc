import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, readJson } from './paths.mjs';

/** Packages with a reference, in the order of its page. */
const PACKAGES = ['sdk', 'webhooks', 'launch-token', 'testing', 'contract'];

/** Page of the main import of a package: the page of its folder. */
const MAIN = 'README';

/** List of the pages of a package, which the index of the reference replaces. */
const MODULES = 'modules';

/** Folder of the reference. */
export const referenceFolder = at('docs', 'api');

const OPTIONS = {
  plugin: ['typedoc-plugin-markdown'],
  readme: 'none',
  outputFileStrategy: 'modules',
  entryFileName: MODULES,
  hidePageHeader: true,
  hideBreadcrumbs: true,
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  useCodeBlocks: true,
  parametersFormat: 'list',
  propertiesFormat: 'list',
  interfacePropertiesFormat: 'list',
  classPropertiesFormat: 'list',
  typeDeclarationFormat: 'list',
  sort: ['source-order'],
  logLevel: 'Error',
};

/**
 * Writes the Markdown reference of the client packages, made by TypeDoc from the types that users get. The packages are built before.
 * @param {string} folder an empty or absent folder
 * @param {string} tools the folder tests/runtimes with its installation: TypeDoc needs an older TypeScript
 */
export async function writeReference(folder, tools) {
  const { Application } = await import(
    pathToFileURL(createRequire(join(tools, 'package.json')).resolve('typedoc')).href
  );
  for (const name of PACKAGES) await writePackage(Application, tools, name, join(folder, name));
  writeFileSync(join(folder, 'README.md'), indexText());
}

function indexText() {
  const rows = PACKAGES.flatMap((name) =>
    entriesOf(name).map(({ path }) => {
      const page = path === '.' ? MAIN : path.slice('./'.length);
      return `- [@plat/${name}${path.slice(1)}](${name}/${page}.md)`;
    }),
  );
  return `# Reference of the libraries\n\nEvery export of each import, made from the types by \`npm run api-reference\`.\n\n${rows.join('\n')}\n`;
}

async function writePackage(Application, tools, name, out) {
  const dist = at('packages', name, 'dist');
  const entries = entriesOf(name);
  const { version } = readJson(at('packages', name, 'package.json'));
  const tsconfig = join(tools, 'node_modules', `.typedoc-${name}.json`);
  const types = { types: ['node'], typeRoots: [at('node_modules', '@types')] };
  const compilerOptions = { module: 'NodeNext', target: 'ES2023', lib: ['ES2023'], skipLibCheck: true, ...types };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, files: entries.map(({ file }) => file) }));
  try {
    const app = await Application.bootstrapWithPlugins({
      ...OPTIONS,
      // It has hundreds of interfaces: lists would make a page of two megabytes.
      ...(name === 'contract' && { interfacePropertiesFormat: 'table', typeDeclarationFormat: 'table' }),
      plugin: [createRequire(join(tools, 'package.json')).resolve('typedoc-plugin-markdown')],
      name: `@plat/${name}`,
      pageTitleTemplates: {
        index: `@plat/${name}`,
        module: ({ rawName }) => (rawName === MAIN ? `@plat/${name}` : `@plat/${name}/${rawName}`),
      },
      tsconfig,
      entryPoints: entries.map(({ file }) => file),
      outputs: [{ name: 'markdown', path: out }],
    });
    const project = await app.convert();
    if (!project || app.logger.hasErrors()) throw new Error(`TypeDoc could not read @plat/${name}`);
    // A module is named after its import, not after its file.
    for (const { path, file } of entries) {
      const byFile = relative(dist, file).replace(/\.d\.ts$/, '');
      const module = project.children.find((each) => each.name === byFile);
      if (module) module.name = path === '.' ? MAIN : path.slice('./'.length);
    }
    await app.generateOutputs(project);
    rmSync(join(out, `${MODULES}.md`));
    for (const file of readdirSync(out)) {
      // A release changes the version, and no more.
      const text = withoutAnchors(readFileSync(join(out, file), 'utf8')).replaceAll(`"${version}"`, '"…"');
      writeFileSync(join(out, file), withoutNumbers(text));
    }
  } finally {
    rmSync(tsconfig);
  }
}

/** The site has no HTML in its Markdown, so rows of a table have no address. */
function withoutAnchors(text) {
  return text.replaceAll(/<a id="[^"]*"><\/a> /g, '').replaceAll(/\[([^\]]*)\]\([\w.-]*#property-[^)]*\)/g, '$1');
}

/** TypeDoc also numbers the link to a heading whose name another declaration of the page has without a heading. */
function withoutNumbers(text) {
  const counts = new Map();
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    counts.set(slug, (counts.get(slug) ?? 0) + 1);
  }
  return text.replaceAll(/\]\(#([\w-]+)-\d+\)/g, (link, slug) => (counts.get(slug) === 1 ? `](#${slug})` : link));
}

/** Returns the imports of a package with the files of their types. */
function entriesOf(name) {
  const { exports } = readJson(at('packages', name, 'package.json'));
  return Object.entries(exports).flatMap(([path, target]) => {
    const types = target.import?.types ?? target.types;
    return types ? [{ path, file: at('packages', name, types) }] : [];
  });
}
