#!/usr/bin/env node
// No syntax younger than import(), so that an old Node gets as far as the message.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const oldest = engines.node.slice('>='.length);
const [oldestMajor, oldestMinor] = oldest.split('.').map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  process.stderr.write(
    `plat-server needs Node.js ${oldest} or later; this is ${process.versions.node} (${process.execPath}).\n` +
      'Install a current Node.js from https://nodejs.org. In a clone, run npx plat-server, which uses the Node.js of the clone.\n',
  );
  process.exitCode = 1;
} else {
  import('../dist/main.js').catch((error) => {
    const notBuilt = error.code === 'ERR_MODULE_NOT_FOUND' && /dist[\\/]main\.js/.test(error.message);
    process.stderr.write(
      notBuilt ? 'plat-server is not built yet. In the clone, run: npm run build.\n' : `${error.stack}\n`,
    );
    process.exitCode = 1;
  });
}
