import { connect } from 'node:net';

/** A request whose last byte is still missing. */
export interface HeldRequest {
  /** Sends the last byte. Resolves to the whole response as text. */
  finish(): Promise<string>;
}

/** Sends a request without the last byte of its body. */
export function holdRequest(
  url: string,
  {
    method = 'POST',
    headers,
    body,
  }: { readonly method?: string; readonly headers: Readonly<Record<string, string>>; readonly body: string },
): HeldRequest {
  const { hostname, port, host, pathname } = new URL(url);
  const bytes = Buffer.from(body);
  const all = { Host: host, Connection: 'close', 'Content-Length': String(bytes.length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`${method} ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.write(bytes.subarray(0, -1));
  return {
    async finish() {
      socket.write(bytes.subarray(-1));
      const parts: Buffer[] = [];
      for await (const part of socket) parts.push(part);
      return Buffer.concat(parts).toString();
    },
  };
}
