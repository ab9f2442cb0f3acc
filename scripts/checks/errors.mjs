import { readFileSync } from 'node:fs';
import { errorsFile, errorsText } from '../lib/error-tables.mjs';

/** The committed tables match the error codes: a change of a text shows in its review. */
export const errors = {
  name: 'docs/errors.md has the texts of the error codes',
  run: async () => {
    const ok = readFileSync(errorsFile, 'utf8') === (await errorsText());
    return { ok, output: ok ? '' : 'docs/errors.md differs from the error codes. Run: npm run errors\n' };
  },
};
