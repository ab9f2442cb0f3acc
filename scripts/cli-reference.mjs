// npm run cli-reference: writes docs/cli.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('scripts', 'write-cli-reference.mjs')]);
});
