import { packedPackages } from '../lib/pack.mjs';
import { runQuiet } from '../lib/run.mjs';

const FILES = [
  'index.html',
  'reference/clients/index.html',
  'style.css',
  'search.js',
  'search-index.json',
  'minisearch.js',
];

/** Checks that the packed server contains the documentation, and not the program that builds it. */
export const packedDocs = {
  name: 'The packed server brings the documentation',
  run: async () => {
    const server = (await packedPackages()).find(({ name }) => name === '@plat/server');
    const { output } = await runQuiet('tar', ['-tzf', server.tarball]);
    const packed = new Set(output.split('\n'));
    const missing = FILES.map((file) => `package/dist/docs/pages/${file}`).filter((file) => !packed.has(file));
    const builder = [...packed].filter((file) => file.includes('/docs/build/'));
    const lines = [...missing.map((file) => `${file} is not packed`), ...builder.map((file) => `${file} is packed`)];
    return { ok: lines.length === 0, output: lines.join('\n') };
  },
};
