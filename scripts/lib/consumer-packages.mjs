import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { packedPackages } from './pack.mjs';
import { runQuiet } from './run.mjs';

/** Unpacks the packed packages that programs import into the `node_modules` of a consumer's folder. */
export async function unpackClients(folder) {
  const clients = (await packedPackages()).filter(({ manifest }) => manifest.main !== undefined);
  for (const { name, tarball } of clients) {
    const home = join(folder, 'node_modules', name);
    mkdirSync(home, { recursive: true });
    const { ok, output } = await runQuiet('tar', ['-xzf', tarball, '--strip-components=1', '-C', home]);
    if (!ok) throw new Error(output);
  }
  return clients;
}
