// npm run screenshots [-- <part of a name>]: writes PNGs of the console's rooms to screenshots/, on the installed Node.
import { fileURLToPath } from 'node:url';
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  const entry = fileURLToPath(new URL('../tests/screenshots/main.ts', import.meta.url));
  return runForeground(nodeBinary(), ['--conditions=@plat/source', '--no-warnings', entry, ...process.argv.slice(2)]);
});
