import { existsSync, readFileSync } from 'node:fs';
import { cliReferenceFile, cliReferenceText } from '../lib/cli-reference.mjs';

/** Compares the committed page with the commands, so that a review shows each change of the command line. */
export const cliReference = {
  name: 'docs/cli-reference.md says what plat does',
  run: async () => {
    const committed = existsSync(cliReferenceFile) ? readFileSync(cliReferenceFile, 'utf8') : '';
    const ok = committed === (await cliReferenceText());
    return { ok, output: ok ? '' : 'docs/cli-reference.md differs from the commands. Run: npm run cli-reference\n' };
  },
};
