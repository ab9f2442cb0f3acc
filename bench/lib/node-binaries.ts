import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OLDEST = fileURLToPath(new URL('../../tests/runtimes/node_modules/node20/bin/node', import.meta.url));

/** The Node that runs this program, and before it the oldest supported one, if `npm ci` ran in `tests/runtimes`. */
export const NODE_BINARIES: readonly string[] = [OLDEST, process.execPath].filter((path) => existsSync(path));
