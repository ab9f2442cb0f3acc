import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceFolder, writeReference } from '../lib/api-reference.mjs';
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
      const [committed, made] = [filesOf(referenceFolder), filesOf(folder)];
      const names = new Set([...committed.keys(), ...made.keys()]);
      const differing = [...names].filter((name) => committed.get(name) !== made.get(name));
      const output = `docs/api differs from the exports in ${differing.join(', ')}. Run: npm run api-reference\n`;
      return differing.length === 0 ? { ok: true, output: '' } : { ok: false, output };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

function filesOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
