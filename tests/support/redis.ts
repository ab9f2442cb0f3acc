import { once } from 'node:events';
import { connect } from 'node:net';
import { type Daemon, startDaemon } from './daemon.ts';
import { findProgram, isRequired } from './find-servers.ts';
import { freePort } from './free-port.ts';
import { tempFolder } from './temp-folder.ts';

export interface Redis extends Daemon {
  readonly url: string;
}

/** Returns true if this machine has a Redis server or REQUIRE_REDIS is set. */
export const hasRedis = (): boolean => findProgram('redis-server') !== undefined || isRequired('redis');

/**
 * Starts a private Redis on a loopback port, in memory only.
 * @param port a port to return to after a `kill`; a free one by default
 * @throws Error when this machine has none (Debian: redis-server)
 */
export async function startRedis(port?: number): Promise<Redis> {
  const command = findProgram('redis-server');
  if (command === undefined) throw new Error('no Redis here: install redis-server');
  const folder = tempFolder('redis');
  const chosen = port ?? (await freePort());
  const args = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(chosen),
    '--dir',
    folder.path,
    '--save',
    '',
    '--appendonly',
    'no',
  ];
  const daemon = await startDaemon({ name: 'Redis', command, args, folder, ping: () => ping(chosen) });
  return { ...daemon, url: `redis://127.0.0.1:${chosen}` };
}

async function ping(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write('PING\r\n');
    const [answer] = await once(socket, 'data');
    if (String(answer) !== '+PONG\r\n') throw new Error(`Redis answered ${String(answer)}`);
  } finally {
    socket.destroy();
  }
}
