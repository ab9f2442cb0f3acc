import { existsSync, readFileSync } from 'node:fs';
import { cliReferenceFile, cliReferenceText } from '../lib/cli-reference.mjs';

/** The committed page is the one that the commands make: a change of the command line shows in its review. */
export const cliReference = {
  name: 'docs/cli-reference.md says what plat does',
  run: async () => {
    const committed = existsSync(cliReferenceFile) ? readFileSync(cliReferenceFile, 'utf8') : '';
    const ok = committed === (await cliReferenceText());
    return { ok, output: ok ? '' : 'docs/cli-reference.md differs from the commands. Run: npm run cli-reference\n' };
  },
};
