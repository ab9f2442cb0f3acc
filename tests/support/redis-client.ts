import { once } from 'node:events';
import { connect } from 'node:net';

/** The part of ioredis that the stores use. */
export interface RedisClient {
  call(...words: (string | number)[]): Promise<unknown>;
  close(): void;
}

/** Connects with the minimum of the protocol (RESP 2): responses arrive in the order of the commands. */
export async function connectRedis(url: string): Promise<RedisClient> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const waiting: ((answer: unknown) => void)[] = [];
  let bytes = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (let read = readAnswer(bytes, 0); read; read = readAnswer(bytes, 0)) {
      bytes = bytes.subarray(read.end);
      waiting.shift()?.(read.value);
    }
  });
  const send = (...words: (string | number)[]): Promise<unknown> => {
    const parts = words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`);
    socket.write(`*${parts.length}\r\n${parts.join('')}`);
    return new Promise((resolve) => waiting.push(resolve));
  };
  return {
    call: send,
    close: () => socket.destroy(),
  };
}

/**
 * Returns the response that begins at `at`, or null while it is incomplete. An error becomes a value on which an
 * assertion fails.
 */
function readAnswer(bytes: Buffer, at: number): { readonly value: unknown; readonly end: number } | null {
  const lineEnd = bytes.indexOf('\r\n', at);
  if (lineEnd < 0) return null;
  const [kind, line] = [String.fromCharCode(bytes[at] ?? 0), bytes.toString('utf8', at + 1, lineEnd)];
  const end = lineEnd + 2;
  if (kind === ':') return { value: Number(line), end };
  if (kind === '+' || kind === '-') return { value: line, end };
  const length = Number(line);
  if (length < 0) return { value: null, end };
  if (kind === '$') {
    if (bytes.length < end + length + 2) return null;
    return { value: bytes.toString('utf8', end, end + length), end: end + length + 2 };
  }
  const items: unknown[] = [];
  for (let next = end; items.length < length; ) {
    const item = readAnswer(bytes, next);
    if (!item) return null;
    items.push(item.value);
    next = item.end;
    if (items.length === length) return { value: items, end: next };
  }
  return { value: items, end };
}
