import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Bytes of what a line of code brings along: bundled, minified, gzipped. */
export async function bundleSize(platform: 'node' | 'browser', code: string): Promise<number> {
  const bundle = await rolldown({
    input: 'whole',
    platform,
    resolve: { conditionNames: ['@plat/source', ...(platform === 'node' ? ['node'] : ['browser']), 'import'] },
    plugins: [
      {
        name: 'whole',
        resolveId: (id) => (id === 'whole' ? HERE : undefined),
        load: (id) => (id === HERE ? code : undefined),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  return output.reduce(
    (bytes, file) => bytes + (file.type === 'chunk' ? gzipSync(file.code, { level: 9 }).length : 0),
    0,
  );
}

/** A file that is not there, in a folder from which the package is found. */
const HERE = fileURLToPath(new URL('./whole-client.js', import.meta.url));
