import { resolve } from 'node:path';

/** The packages of this repository are links to folders outside this one. With installed packages, remove `turbopack`. */
export default {
  turbopack: { root: resolve(import.meta.dirname, '../..') },
  poweredByHeader: false,
};
