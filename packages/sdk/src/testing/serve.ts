import http, { type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as the server received it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A server on a free local port, closed with the test. */
export interface TestServer {
  readonly url: string;
  readonly received: Received[];
  readonly server: http.Server;
  /** Returns the number of accepted connections. */
  connections(): number;
}

/** Answers the n-th request (from 0). */
export type Answer = (response: ServerResponse, request: Received, index: number) => void;

export async function serve(answer: Answer, options: http.ServerOptions = {}): Promise<TestServer> {
  const received: Received[] = [];
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const entry = { method, url, headers, body };
      const index = received.push(entry) - 1;
      answer(response, entry, index);
    });
  };
  let connections = 0;
  const server = http.createServer(options, listener);
  server.on('connection', () => {
    connections++;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, received, server, connections: () => connections };
}

/** Sends a JSON response with the headers that the service always sends. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string | number> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    'x-request-id': 'req_01hzzzzzzzzzzzzzzzzzzzzzzz',
    ...headers,
  });
  response.end(text);
}

/** Sends an error body. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: string,
  headers: Record<string, string | number> = {},
): void {
  json(response, status, { code, message: `message of ${code}` }, headers);
}
