// npm run tally: installs and builds what is missing, then kills servers on the Node that the workspace brought.
import { fileURLToPath } from 'node:url';
import { bootstrap, main } from '../../scripts/lib/bootstrap.mjs';
import { nodeBinary } from '../../scripts/lib/node.mjs';
import { runForeground } from '../../scripts/lib/run.mjs';

await main(async () => {
  await bootstrap();
  const entry = fileURLToPath(new URL('main.ts', import.meta.url));
  return runForeground(nodeBinary(), ['--conditions=@plat/source', '--no-warnings', entry, ...process.argv.slice(2)]);
});
