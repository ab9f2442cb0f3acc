import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { root } from '../lib/paths.mjs';
import { generatedFiles } from '../lib/types.mjs';

/** Compares the committed interfaces with the schemas, so that a review shows each change of a field. */
export const types = {
  name: 'The generated types of packages/contract match its schemas',
  run: async () => {
    const stale = generatedFiles().filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
    const output = stale.map(({ path }) => `${relative(root, path)} differs from the schemas. Run: npm run types\n`);
    return { ok: stale.length === 0, output: output.join('') };
  },
};
