// npm run types: writes the generated sources: the contract's interfaces, the lists of modules, and the resources of the SDK. It needs no build: after a change of a schema the packages may not
// compile until their interfaces follow.
import { main } from './lib/bootstrap.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await ensureInstalled();
  return runForeground(nodeBinary(), ['--conditions=@plat/source', '--no-warnings', at('scripts', 'write-types.mjs')]);
});
