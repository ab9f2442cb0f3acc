// Separate process: a port whose connection queue is full and never emptied. The system drops further connections, as a
// firewall does.

import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

const server = createServer();
server.listen({ port: 0, host: '0.0.0.0', backlog: 1 }, () => {
  const { port } = server.address() as AddressInfo;
  process.on('disconnect', () => process.exit());
  process.send?.(port, () => {
    // The system accepts them, this process never does.
    for (let n = 0; n < 8; n++) connect(port, '127.0.0.1');
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  });
});
