import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSurface, releasedFile } from '../lib/api-surface.mjs';
import { bumpNeeded, compareSurfaces, isEnough } from '../lib/compare-surfaces.mjs';
import { at, readJson } from '../lib/paths.mjs';

/** A change that breaks users has a changeset that says so. Error codes and event types are never removed. */
export const released = {
  name: 'What breaks users of the last release is announced by a changeset',
  run: async () => {
    const differences = compareSurfaces(readJson(releasedFile), readSurface());
    const { version } = readJson(at('packages', 'sdk', 'package.json'));
    const needed = bumpNeeded(differences, version);
    if (isEnough(needed, announced())) return { ok: true, output: '' };
    const lines = differences.map(({ kind, text }) => `${kind.padEnd(9)} ${text}`);
    const advice =
      needed === 'never'
        ? 'Error codes and event types stay, in every version: bring them back.'
        : `The next version has to be ${needed}: npm run changeset. See docs/releasing.md.`;
    return { ok: false, output: `${lines.join('\n')}\n${advice}\n` };
  },
};

/** Returns the bumps that the changesets announce. All packages have one version, so one of them announces it. */
function announced() {
  const folder = at('.changeset');
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
  return files.flatMap((name) =>
    Array.from(
      readFileSync(join(folder, name), 'utf8').matchAll(/^['"]@plat\/[\w-]+['"]: (\w+)\r?$/gm),
      ([, bump]) => bump,
    ),
  );
}
