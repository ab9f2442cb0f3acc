// npm start: installs and builds what the clone lacks, then runs the server. package.json uses `exec` because a shell between npm and
// this process would swallow signals. Windows has no `exec` and runs the second command.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('packages', 'server', 'dist', 'main.js'), ...process.argv.slice(2)]);
});
