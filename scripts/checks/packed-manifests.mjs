import { readFile } from 'node:fs/promises';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packedPackages } from '../lib/pack.mjs';

/** Runs publint's rules for package.json on the packed packages. */
export const packedManifests = {
  name: 'Packed packages keep the rules of publishing (publint)',
  run: async () => {
    const reports = await Promise.all((await packedPackages()).map(judge));
    const problems = reports.flat();
    return { ok: problems.length === 0, output: problems.join('\n') };
  },
};

async function judge({ name, manifest, tarball }) {
  const bytes = await readFile(tarball);
  const { messages } = await publint({
    pack: { tarball: new Uint8Array(bytes).buffer },
    level: 'warning',
    strict: true,
  });
  return messages.map((message) => `${name}: ${formatMessage(message, manifest)}`);
}
