// A process of its own: a port whose queue of connections is full and never emptied, so that the system drops whatever
// else wants to connect, as a firewall does.

import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';

const server = createServer();
server.listen({ port: 0, host: '0.0.0.0', backlog: 1 }, () => {
  const { port } = server.address() as AddressInfo;
  process.on('disconnect', () => process.exit());
  process.send?.(port, () => {
    // Taken by the system, but never by this process, which does nothing from here on.
    for (let n = 0; n < 8; n++) connect(port, '127.0.0.1');
    setTimeout(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0), 50);
  });
});
