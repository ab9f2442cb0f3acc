// npm test [-- <vitest arguments>]: runs all checks and tests; with arguments only the named tests.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  try {
    await bootstrap();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.stdout.write('0 passed, 1 failed\n');
    return 1;
  }
  return runForeground(nodeBinary(), [at('scripts', 'suite.mjs'), 'test', ...process.argv.slice(2)]);
});
