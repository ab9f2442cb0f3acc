import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server of key sets on a real socket, with responses from the test. */
export interface KeyServer {
  readonly url: string;
  /** Number of requests that have arrived. */
  readonly requests: number;
  answer: Answer;
  /** Waits for the next request, and returns its response object. */
  arrival(): Promise<ServerResponse>;
  stop(): Promise<void>;
}

export const json =
  (body: string | Uint8Array, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'cache-control': 'public, max-age=3600',
      ...headers,
    });
    response.end(body);
  };

export async function startKeyServer(answer: Answer): Promise<KeyServer> {
  let requests = 0;
  let told: ((response: ServerResponse) => void)[] = [];
  const server = createServer((request, response) => {
    requests += 1;
    response.on('error', () => undefined);
    started.answer(request, response);
    for (const tell of told) tell(response);
    told = [];
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started: KeyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`,
    get requests() {
      return requests;
    },
    answer,
    arrival: () => new Promise((resolve) => told.push(resolve)),
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
  return started;
}
