// npm start: from whatever state the clone is in to a server that answers.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('packages', 'server', 'dist', 'main.js'), ...process.argv.slice(2)]);
});
