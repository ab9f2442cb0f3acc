#!/usr/bin/env node
// No syntax younger than import(), so that an old Node gets as far as the message.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(
    `plat-server needs Node.js 22.13 or later; this is ${process.versions.node} (${process.execPath}).\n` +
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
