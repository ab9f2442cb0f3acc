import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request that a webhook receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sets the response; 204 by default. */
  answer(respond: (req: IncomingMessage, res: ServerResponse, received: Received) => void): void;
  /** Resolves after this many requests. */
  waitFor(count: number, withinMs?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a real webhook receiver on loopback that records requests byte for byte.
 * @param at port of a receiver that was closed; a free one by default
 */
export async function startReceiver(at = 0): Promise<Receiver> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  let respond = (_req: IncomingMessage, res: ServerResponse, _received: Received): void => {
    res.writeHead(204).end();
  };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const one = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(one);
      for (const look of [...waiting]) look();
      respond(req, res, one);
    });
  });
  await new Promise<void>((resolve, reject) => {
    const listen = () => server.listen(at, '127.0.0.1', resolve);
    // Any connection of the machine may use the port for a moment.
    server.on('error', (error: NodeJS.ErrnoException) =>
      at !== 0 && error.code === 'EADDRINUSE' ? setTimeout(listen, 50) : reject(error),
    );
    listen();
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    answer(next) {
      respond = next;
    },
    waitFor(count, withinMs = 60_000) {
      return new Promise((resolve, reject) => {
        const give = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${received.length} of ${count} deliveries arrived within ${withinMs} ms`));
        }, withinMs);
        const look = (): void => {
          if (received.length < count) return;
          clearTimeout(give);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
