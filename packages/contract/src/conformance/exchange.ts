import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** A request to a receiver, byte for byte. */
export interface Sending {
  readonly url: string;
  /** Names with their values; a name with two values is sent twice. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body, in pieces that are sent one after another. */
  readonly pieces: readonly Uint8Array[];
  /** Pause between two pieces, in ms. */
  readonly pauseMs?: number;
  /** Time for the whole response after the last piece, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Response of a receiver. */
export interface Response {
  /** Null without a complete response. */
  readonly status: number | null;
  /** Reason why there is no response, in words; null with one. */
  readonly error: string | null;
  /** Header `Location` of a redirect. */
  readonly location: string | null;
  /** Time from the last piece to the end of the response, in ms. */
  readonly durationMs: number;
}

/** Maximum number of bytes that are read of a response. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Sends a request on a new connection, without following redirects. It rejects only when the signal is aborted. */
export async function exchange(sending: Sending): Promise<Response> {
  const { url, headers, pieces, pauseMs = 0, timeoutMs, signal } = sending;
  signal?.throwIfAborted();
  const open = new URL(url).protocol === 'https:' ? requestHttps : requestHttp;
  const request = open(url, { method: 'POST', agent: false, ...(signal && { signal }) });
  for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
  request.setHeader('Content-Length', sizeOf(pieces));
  const response = new Promise<Omit<Response, 'durationMs'>>((resolve) => {
    const fail = (error: string): void => resolve({ status: null, error, location: null });
    request.on('error', (error) => fail(reasonOf(error)));
    request.on('close', () => fail('the connection ended without a response'));
    request.on('response', (message) => {
      let read = 0;
      const end = (): void =>
        resolve({ status: message.statusCode ?? null, error: null, location: message.headers.location ?? null });
      message.on('end', end).on('error', (error) => fail(reasonOf(error)));
      message.on('data', (chunk: Buffer) => {
        read += chunk.length;
        if (read > MAX_RESPONSE_BYTES) end();
      });
    });
  });
  const [first, ...rest] = pieces;
  if (first) request.write(first);
  for (const piece of rest) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    request.write(piece);
  }
  request.end();
  const sentAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Omit<Response, 'durationMs'>>((resolve) => {
    const error = `no complete response within ${timeoutMs / 1000} s`;
    timer = setTimeout(() => resolve({ status: null, error, location: null }), timeoutMs);
  });
  const outcome = await Promise.race([response, late]);
  clearTimeout(timer);
  request.destroy();
  signal?.throwIfAborted();
  return { ...outcome, durationMs: Math.round(performance.now() - sentAt) };
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

function reasonOf(error: Error): string {
  // With several addresses each has its own error, and the AggregateError has no message.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : String(first);
}
