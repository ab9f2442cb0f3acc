import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { errorPages } from '../lib/error-tables.mjs';
import { root } from '../lib/paths.mjs';

/** The committed tables match the error codes: a change of a text shows in its review. */
export const errors = {
  name: 'docs/errors.md and the READMEs of the verifiers have the texts of the error codes',
  run: async () => {
    const stale = (await errorPages()).filter(({ file, text }) => readFileSync(file, 'utf8') !== text);
    const names = stale.map(({ file }) => relative(root, file)).join(', ');
    return {
      ok: stale.length === 0,
      output: stale.length === 0 ? '' : `${names}: differs from the error codes. Run: npm run errors\n`,
    };
  },
};
