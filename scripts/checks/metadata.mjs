import { relative } from 'node:path';
import { differentMetadata } from '../lib/metadata.mjs';
import { root } from '../lib/paths.mjs';

/** Checks the fields, licenses, links and version that the published packages repeat from the root. */
export const metadata = {
  name: 'Packages repeat repository, license, links and version exactly (npm run metadata)',
  run: async () => {
    const paths = differentMetadata().map(({ path }) => relative(root, path));
    return { ok: paths.length === 0, output: paths.map((path) => `${path}: run npm run metadata`).join('\n') };
  },
};
