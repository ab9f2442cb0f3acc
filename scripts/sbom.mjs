// npm run sbom: writes a software bill of materials (CycloneDX 1.5) for each published package, with all that it installs.
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

/** npm describes the workspace as a whole: the package it is about replaces the root. */
async function billOf(name, { version, description, license }) {
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--loglevel=silent', '--workspace', name];
  const { ok, output } = await runQuiet('npm', args, { shell: process.platform === 'win32' });
  if (!ok) throw new Error(`npm sbom failed for ${name}:\n${output}`);
  const bill = JSON.parse(output.slice(output.indexOf('{')));
  const component = bill.components.find((each) => each.name === name && each.version === version);
  const own = component ?? { type: 'library', name, version, description, licenses: [{ license: { id: license } }] };
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...own, 'bom-ref': `${name}@${version}`, purl: purlOf(name, version) } },
    components: bill.components.filter((each) => each !== component),
  };
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
