import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A loopback port that forwards to another port until the connection is broken. */
export interface BreakableLine {
  readonly port: number;
  /** Closes every connection and refuses new ones. */
  break(): Promise<void>;
  /** Keeps every connection open, new ones included, and forwards nothing: the server no longer responds. */
  stall(): void;
  /** Keeps the open connections and forwards nothing on them; new ones work. */
  freeze(): void;
  mend(): Promise<void>;
}

/**
 * Starts a breakable line in front of a server. Its clients see the server disappear and come back.
 * @param delayMs delay of what the server sends
 */
export async function startBreakableLine(host: string, port: number, delayMs = 0): Promise<BreakableLine> {
  const open = new Set<Socket>();
  let isStalled = false;
  const join = (near: Socket): void => {
    if (isStalled) {
      open.add(near);
      return;
    }
    const far = connect(port, host);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far);
    if (delayMs === 0) far.pipe(near);
    else far.on('data', (chunk) => setTimeout(() => near.write(chunk), delayMs));
  };
  const listen = async (at: number): Promise<Server> => {
    const server = createServer(join).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return server;
  };
  const freeze = (): void => {
    for (const socket of open) socket.unpipe().pause();
  };
  let server = await listen(0);
  const { port: own } = server.address() as AddressInfo;
  return {
    port: own,
    async break() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    stall() {
      isStalled = true;
      freeze();
    },
    freeze,
    async mend() {
      server = await listen(own);
    },
  };
}
