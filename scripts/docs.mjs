// npm run docs [-- --out <folder> --server <url>]: writes the documentation as static files. With a server, operations
// link to its Explorer.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at, root } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  const builder = at('packages', 'server', 'dist', 'docs', 'build', 'main.js');
  return runForeground(nodeBinary(), [builder, '--root', root, '--out', at('site'), ...process.argv.slice(2)]);
});
