import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A receiver of deliveries that can misbehave on its sockets in any way. */
export interface FaultyReceiver {
  readonly host: string;
  readonly port: number;
  /** Number of connections since the start, and of open ones. */
  readonly connections: number;
  readonly open: number;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Handles a connection: a function of the socket, or a server of any protocol. */
  readonly answer: ((socket: Socket) => void) | Server;
  readonly host?: string;
  readonly port?: number;
}

/** @throws Error when the port is taken */
export async function startFaulty({ answer, host = '127.0.0.1', port = 0 }: ReceiverOptions): Promise<FaultyReceiver> {
  const open = new Set<Socket>();
  let connections = 0;
  const server = typeof answer === 'function' ? createServer(answer) : answer;
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return open.size;
    },
    close() {
      for (const socket of open) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Starts two receivers on the same port of two addresses: one to be reached, and one that no delivery may reach. */
export async function startBeside(
  allowed: ReceiverOptions & { readonly host: string },
  canaryHost: string,
): Promise<{ receiver: FaultyReceiver; canary: FaultyReceiver }> {
  for (;;) {
    const receiver = await startFaulty(allowed);
    try {
      const canary = await startFaulty({ answer: (socket) => socket.resume(), host: canaryHost, port: receiver.port });
      return { receiver, canary };
    } catch {
      // Another program uses that port.
      await receiver.close();
    }
  }
}

/** Calls back after the request headers, which on a quiet socket are followed by the whole body. */
export function onRequest(socket: Socket, respond: () => void): void {
  let seen = '';
  let responded = false;
  socket.on('data', (chunk: Buffer) => {
    seen += chunk.toString('latin1');
    const end = seen.indexOf('\r\n\r\n');
    const length = /^content-length: (\d+)/im.exec(seen)?.[1];
    if (responded || end === -1 || length === undefined || seen.length < end + 4 + Number(length)) return;
    responded = true;
    respond();
  });
}

/** Writes the same text for as long as the connection lasts. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 20);
  socket.on('close', () => clearInterval(timer));
}
