import { at, readJson } from '../lib/paths.mjs';

/**
 * Checks that the lockfile pins every package by integrity and runs no install script in packages that users install. It names no
 * registry, so that it installs from any mirror. It lists the packages of every platform: `npm ci` refuses a lockfile that lacks one,
 * and the machine that wrote it does not notice.
 */
export const lockfile = {
  name: 'The lockfile is complete, pins every package, names no registry and runs nothing on installation',
  run: async () => {
    const locked = readJson(at('package-lock.json')).packages;
    const names = new Set(Object.keys(locked).map((path) => path.split('node_modules/').at(-1)));
    const problems = Object.entries(locked).flatMap(([path, entry]) => [
      ...(/^(https?|git|ssh)/.test(entry.resolved ?? '') ? [`${path}: resolved to a fixed address`] : []),
      ...(isThirdParty(path, entry) && !entry.integrity ? [`${path}: no integrity`] : []),
      ...(entry.hasInstallScript && !entry.dev ? [`${path}: runs a script when it is installed`] : []),
      ...Object.keys(entry.optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path}: its optional ${name} is not in the lockfile`),
    ]);
    return { ok: problems.length === 0, output: problems.join('\n') };
  },
};

function isThirdParty(path, { link, inBundle }) {
  return path.includes('node_modules/') && !link && !inBundle;
}
