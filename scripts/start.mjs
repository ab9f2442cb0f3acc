// npm start: installs and builds what the clone lacks, then runs the server. package.json uses `exec` because a shell between npm and
// this process would swallow signals. Arguments are appended to the last command, which sh and cmd.exe therefore share.
// In sh, `_=\&` is a variable. In cmd.exe, which has no `exec`, the ampersand ends a command that fails.
import { bootstrap, main } from './lib/bootstrap.mjs';
import { nodeBinary } from './lib/node.mjs';
import { at } from './lib/paths.mjs';
import { runForeground } from './lib/run.mjs';

await main(async () => {
  await bootstrap();
  return runForeground(nodeBinary(), [at('packages', 'server', 'dist', 'main.js'), ...process.argv.slice(2)]);
});
