// npm start: from whatever state the clone is in to a server that answers. package.json says `exec` so that no shell
// stands between npm and this process and swallows the signals that npm passes on; Windows has none and takes the second.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('packages', 'server', 'dist', 'main.js'), ...process.argv.slice(2)]);
});
