import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { repository, spawnNode } from '../support/process.ts';

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly purl: string;
}

it('npm run sbom writes a bill of materials for each published package, with exactly the packages that it installs', async () => {
  const sbom = spawnNode('scripts/sbom.mjs');
  expect(await sbom.exited, sbom.stderr()).toEqual({ code: 0, signal: null });
  const paths = sbom.stdout().trim().split('\n');
  const bills = new Map(
    paths.map((path): [string, Bill] => {
      const bill: Bill = JSON.parse(readFileSync(path, 'utf8'));
      return [bill.metadata.component.name, bill];
    }),
  );
  const namesIn = (name: string) => bills.get(name)?.components.map((each) => each.name);
  expect([...bills.keys()]).toEqual(expect.arrayContaining(['@plat/sdk', '@plat/webhooks', '@plat/server']));
  for (const [name, { bomFormat, metadata, components, dependencies }] of bills) {
    const refs = [metadata.component, ...components].map((each) => each['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    for (const { ref, dependsOn } of dependencies) expect(refs).toEqual(expect.arrayContaining([ref, ...dependsOn]));
    expect([bomFormat, metadata.component.purl]).toEqual([
      'CycloneDX',
      expect.stringMatching(`^pkg:npm/${name.replace('@', '%40')}@\\d`),
    ]);
  }
  expect(namesIn('@plat/sdk')).toEqual(['@plat/contract']);
  for (const [name] of bills) {
    const manifest = JSON.parse(
      readFileSync(`${repository}/packages/${name.slice('@plat/'.length)}/package.json`, 'utf8'),
    );
    expect(namesIn(name)).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies ?? {})));
  }
  // Bundled into the package.
  expect(namesIn('@plat/cli')).toEqual(expect.arrayContaining(['commander', '@plat/sdk', '@plat/webhooks']));
  expect(namesIn('@plat/cli')).not.toContain('rolldown');
  expect(namesIn('@plat/server')).not.toContain('vitest');
});
