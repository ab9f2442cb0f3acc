// npm run types: writes the contract's interfaces anew from its schemas.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('scripts', 'write-types.mjs')]);
});
