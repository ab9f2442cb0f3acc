import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceFolder, writeReference } from '../lib/api-reference.mjs';
import { differingFiles, filesOf } from '../lib/folder-files.mjs';
import { at } from '../lib/paths.mjs';

const installed = at('tests', 'runtimes');

/** The committed reference matches the exports: a change of an export shows in its review. */
export const apiReference = {
  name: 'docs/api is the reference of the exports',
  run: async () => {
    if (!existsSync(join(installed, 'node_modules', 'typedoc'))) {
      const output = '*** NOT CHECKED: docs/api needs TypeDoc. cd tests/runtimes && npm ci ***\n';
      if (!process.env.REQUIRE_RUNTIMES) process.stdout.write(`\n${output}`);
      return { ok: !process.env.REQUIRE_RUNTIMES, output };
    }
    const folder = mkdtempSync(join(tmpdir(), 'plat-api-'));
    try {
      await writeReference(folder, installed);
      const differing = differingFiles(filesOf(referenceFolder), filesOf(folder));
      const output = `docs/api differs from the exports in ${differing.join(', ')}. Run: npm run api-reference\n`;
      return differing.length === 0 ? { ok: true, output: '' } : { ok: false, output };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
