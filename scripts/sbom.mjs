// npm run sbom: writes a software bill of materials (CycloneDX 1.5) for each published package with its dependencies.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { main } from './lib/bootstrap.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { at, packages } from './lib/paths.mjs';
import { runQuiet } from './lib/run.mjs';

await main(async () => {
  await ensureInstalled();
  const folder = at('sbom');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const { name, manifest, published } of packages()) {
    if (!published) continue;
    const path = at('sbom', `${name.slice(1).replace('/', '-')}.cdx.json`);
    writeFileSync(path, `${JSON.stringify(await billOf(name, manifest), null, 2)}\n`);
    process.stdout.write(`${path}\n`);
  }
  return 0;
});

/**
 * Reduces npm's description of the workspace to one package and its dependencies. npm's option `--omit dev` is no alternative. It omits
 * each package that is a development dependency of any workspace. npm names workspaces by their folders, except in the references.
 */
async function billOf(name, { version }) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--loglevel=silent', '--workspace', name];
  const { ok, output } = await runQuiet('npm', args);
  if (!ok) throw new Error(`npm sbom failed for ${name}:\n${output}`);
  const bill = JSON.parse(output.slice(output.indexOf('{')));
  const reference = `${name}@${version}`;
  const edges = installedBy(reference, bill.dependencies);
  const components = bill.components
    .filter((each) => edges.has(each['bom-ref']))
    .map((each) => ({ ...each, name: nameIn(each['bom-ref']) }));
  const component = components.find((each) => each['bom-ref'] === reference);
  if (!component) throw new Error(`npm sbom lists no ${reference}`);
  return {
    ...bill,
    metadata: { ...bill.metadata, component },
    components: components.filter((each) => each !== component),
    dependencies: [...edges].map(([ref, dependsOn]) => ({ ref, dependsOn })),
  };
}

/** Returns the packages that an installation of a package brings, as a map of reference → references. */
function installedBy(reference, dependencies) {
  const all = new Map(dependencies.map(({ ref, dependsOn }) => [ref, dependsOn ?? []]));
  const manifests = new Map(packages().map(({ name, manifest }) => [name, manifest]));
  const found = new Map();
  const visit = (ref) => {
    if (found.has(ref)) return;
    const manifest = manifests.get(nameIn(ref));
    const wanted = manifest && { ...manifest.dependencies, ...manifest.optionalDependencies, ...bundledIn(manifest) };
    const dependsOn = (all.get(ref) ?? []).filter((each) => !wanted || Object.hasOwn(wanted, nameIn(each)));
    found.set(ref, dependsOn);
    for (const each of dependsOn) visit(each);
  };
  visit(reference);
  return found;
}

/** A bundled package contains its development dependencies, except the bundler. */
function bundledIn({ files = [], devDependencies = {} }) {
  const { rolldown: _, ...bundled } = devDependencies;
  return files.includes('bundle') ? bundled : {};
}

/** Returns the name of `name@version`. */
function nameIn(reference) {
  return reference.slice(0, reference.lastIndexOf('@'));
}
