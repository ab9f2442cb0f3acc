import { Agent, request } from 'node:http';

/** A request that is sent without normalization. */
export interface RawRequest {
  readonly method: string;
  /** Path with its query: percent-encoded, or malformed on purpose. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends a request unchanged. `fetch` would correct paths and headers. */
export function sendRaw(baseUrl: string, { method, path, headers, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(baseUrl);
  const length = body ? [['Content-Length', String(body.byteLength)] as const] : [];
  const sent = [['Host', host] as const, ...length, ...headers].flat();
  return new Promise((done, failed) => {
    const call = request({ agent, hostname, port, method: method.toUpperCase(), path, headers: sent }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', failed);
      res.on('end', () =>
        done({ status: res.statusCode ?? 0, headers: res.headers, text: Buffer.concat(chunks).toString() }),
      );
    });
    call.on('error', failed);
    call.end(body);
  });
}
