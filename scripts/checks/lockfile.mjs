import { at, readJson } from '../lib/paths.mjs';

/** The lockfile pins by integrity and names no registry, so that it installs from whichever mirror a machine uses. */
export const lockfile = {
  name: 'The lockfile pins every package and names no registry',
  run: async () => {
    const problems = Object.entries(readJson(at('package-lock.json')).packages).flatMap(([path, entry]) => {
      if (/^(https?|git|ssh)/.test(entry.resolved ?? '')) return [`${path}: resolved to a fixed address`];
      if (path.includes('node_modules/') && !entry.link && !entry.inBundle && !entry.integrity)
        return [`${path}: no integrity`];
      return [];
    });
    return { ok: problems.length === 0, output: problems.join('\n') };
  },
};
