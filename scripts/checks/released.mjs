import { readChangesets } from '@changesets/read';
import { readSurface, releasedFile } from '../lib/api-surface.mjs';
import { bumpNeeded, compareSurfaces, isEnough } from '../lib/compare-surfaces.mjs';
import { at, readJson, root } from '../lib/paths.mjs';

/** A change that breaks users has a changeset that says so. Error codes and event types are never removed. */
export const released = {
  name: 'What breaks users of the last release is announced by a changeset',
  run: async () => {
    const differences = compareSurfaces(readJson(releasedFile), readSurface());
    const { version } = readJson(at('packages', 'sdk', 'package.json'));
    const needed = bumpNeeded(differences, version);
    if (isEnough(needed, await announced())) return { ok: true, output: '' };
    const lines = differences.map(({ kind, text }) => `${kind.padEnd(9)} ${text}`);
    const advice =
      needed === 'never'
        ? 'Error codes and event types stay, in every version: bring them back.'
        : `The next version has to be ${needed}: npm run changeset. See docs/releasing.md.`;
    return { ok: false, output: `${lines.join('\n')}\n${advice}\n` };
  },
};

/** Resolves to the bumps that the changesets announce. All packages have one version, so one of them announces it. */
async function announced() {
  return (await readChangesets(root)).flatMap(({ releases }) => releases.map(({ type }) => type));
}
