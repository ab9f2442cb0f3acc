import { existsSync } from 'node:fs';
import { cliReferenceFolder, cliReferencePages } from '../lib/cli-reference.mjs';
import { differingFiles, filesOf } from '../lib/folder-files.mjs';

/** Compares the committed pages with the commands, so that a review shows each change of the command line. */
export const cliReference = {
  name: 'docs/cli says what plat does',
  run: async () => {
    const committed = existsSync(cliReferenceFolder) ? filesOf(cliReferenceFolder) : new Map();
    const differing = differingFiles(committed, await cliReferencePages());
    const output = `docs/cli differs from the commands in ${differing.join(', ')}. Run: npm run cli-reference\n`;
    return differing.length === 0 ? { ok: true, output: '' } : { ok: false, output };
  },
};
