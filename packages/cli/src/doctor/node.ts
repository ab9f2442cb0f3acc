import { version } from '../command/version.ts';
import { fail, ok, type RunCheck } from './check.ts';

/** Oldest supported Node.js, as in bin/plat.js. */
const OLDEST = [22, 13] as const;

/** Checks that plat is tested with this Node.js. */
export const checkNode: RunCheck = async () => {
  const { node } = process.versions;
  const [major = 0, minor = 0] = node.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  const message = `plat ${version()} on Node.js ${node}, ${process.platform} ${process.arch}`;
  return [isOld ? fail('node', message, `Install Node.js ${OLDEST.join('.')} or later.`) : ok('node', message)];
};
