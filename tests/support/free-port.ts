import { once } from 'node:events';
import { createServer } from 'node:net';

/** Returns a free loopback port, for a server that cannot choose one itself. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address');
  return address.port;
}
