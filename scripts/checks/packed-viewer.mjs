import { packedPackages } from '../lib/pack.mjs';
import { runQuiet } from '../lib/run.mjs';

const FILES = ['index.html', 'start.js', 'swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'];

/** Checks that the packed server contains the reference page and the licence of its viewer. */
export const packedViewer = {
  name: 'The packed server brings its reference page',
  run: async () => {
    const server = (await packedPackages()).find(({ name }) => name === '@plat/server');
    const { output } = await runQuiet('tar', ['-tzf', server.tarball]);
    const packed = new Set(output.split('\n'));
    const missing = FILES.map((file) => `package/dist/openapi/viewer/${file}`).filter((file) => !packed.has(file));
    return { ok: missing.length === 0, output: missing.map((file) => `${file} is not packed`).join('\n') };
  },
};
