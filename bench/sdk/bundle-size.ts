import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Returns the size in bytes of a line of code with its imports: bundled, minified, gzipped. */
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

/** A virtual file in a folder from which the package resolves. */
const HERE = fileURLToPath(new URL('./whole-client.js', import.meta.url));
