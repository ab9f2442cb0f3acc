// npm run pack: writes tarballs of the published packages and prints the commands that install them in another project.
import { mkdirSync, rmSync } from 'node:fs';
import { bootstrap, main } from './lib/bootstrap.mjs';
import { packInto, withOwnDependencies } from './lib/pack.mjs';
import { at } from './lib/paths.mjs';

await main(async () => {
  await bootstrap();
  const folder = at('packed');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = await packInto(folder);
  process.stdout.write(`Packed ${packed.length} packages into ${folder}. To install one, run in your project:\n`);
  for (const { name } of packed) {
    const tarballs = withOwnDependencies(packed, name).map(({ tarball }) => tarball);
    process.stdout.write(`\n# ${name}\nnpm install ${tarballs.map((path) => JSON.stringify(path)).join(' ')}\n`);
  }
  return 0;
});
