// npm run drill -- <name>: installs and builds what is missing, then runs one of tests/drills on the installed Node.
import { fileURLToPath } from 'node:url';
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  const entry = fileURLToPath(new URL('../tests/drills/main.ts', import.meta.url));
  return runForeground(nodeBinary(), ['--conditions=@plat/source', '--no-warnings', entry, ...process.argv.slice(2)]);
});
