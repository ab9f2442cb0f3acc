import { once } from 'node:events';
import { createServer } from 'node:http';
import { CliError } from '../errors/cli-error.ts';
import { codeOf } from '../errors/code-of.ts';

/** A loopback server that receives the redirect of the browser. */
export interface CallbackServer {
  readonly redirectUri: string;
  /** Path and query of the first call of the redirect URI. */
  readonly callback: Promise<string>;
  close(): void;
}

/** @throws {@link CliError} `USAGE` when the port is not available */
export async function startCallbackServer(port: number): Promise<CallbackServer> {
  const { promise: callback, resolve } = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    const target = request.url ?? '/';
    const isCallback = request.method === 'GET' && /^\/callback(?:\?|$)/.test(target);
    response.writeHead(isCallback ? 200 : 404, HEADERS);
    // Resolves after the page was sent, since the caller may close the server then.
    response.end(isCallback ? PAGE : '', () => {
      if (isCallback) resolve(target);
    });
  });
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    throw new CliError('USAGE', `--port: cannot listen on 127.0.0.1:${port} (${codeOf(error)})`, {
      next: 'Choose another --port, and register the redirect URI with it.',
    });
  }
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    callback,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  // The URL contains the code.
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

const PAGE = 'plat received the answer. You can close this page and return to the terminal.\n';
