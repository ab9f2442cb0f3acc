import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { eachGenerated } from '../lib/generated-sources.mjs';
import { root } from '../lib/paths.mjs';

/** Compares the committed generated sources with their origins, so that a review shows each change of a field. */
export const types = {
  name: 'Generated sources match their origins: interfaces, registries, SDK resources',
  run: async () => {
    const stale = [];
    await eachGenerated((files) => {
      stale.push(...files.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text));
    });
    const output = stale.map(({ path }) => `${relative(root, path)} is not up to date. Run: npm run types\n`);
    return { ok: stale.length === 0, output: output.join('') };
  },
};
