import { readFileSync } from 'node:fs';
import { matrixFile, withMatrix } from '../lib/runtime-matrix.mjs';

/** The table is what the probes assert. */
export const runtimes = {
  name: 'README.md has the table of the tested runtimes',
  run: async () => {
    const page = readFileSync(matrixFile, 'utf8');
    const ok = page === withMatrix(page);
    return { ok, output: ok ? '' : 'README.md differs from scripts/lib/runtime-matrix.mjs. Run: npm run runtimes\n' };
  },
};
