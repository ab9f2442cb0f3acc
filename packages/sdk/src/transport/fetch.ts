import { InvalidResponseError } from '../errors/invalid-response-error.ts';
import { MAX_RESPONSE_BYTES, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** The part of `fetch` that the client uses. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** Second argument of `fetch`. */
export interface FetchInit {
  /** HTTP method. */
  method: string;
  /** Request headers. */
  headers: Record<string, string>;
  /** Request body; absent if there is none. */
  body?: string;
  /** Always `manual`: redirects are not followed. */
  redirect: 'manual';
  /** Aborts the request. */
  signal: AbortSignal;
}

/** The part of a `Response` that the client uses. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: {
    /** Returns a header, or null. */
    get(name: string): string | null;
    /** Calls `visit` for every header. */
    forEach(visit: (value: string, name: string) => void): void;
  };
  /** Stream of the body, or null. */
  readonly body: unknown;
  /** Reads the body as text. */
  text(): Promise<string>;
}

/** Creates a transport over `fetch`: the given function, or the global one at the time of each request. */
export function fetchTransport(fetch?: FetchFunction): Transport {
  return {
    async send(request) {
      const response = await (fetch ?? globalThis.fetch)(request.url, init(request));
      const headers = new Map<string, string>();
      response.headers.forEach((value, name) => {
        headers.set(name.toLowerCase(), value);
      });
      return {
        status: response.status,
        headers: { get: (name) => headers.get(name) ?? null, [Symbol.iterator]: () => headers.entries() },
        body: await readText(response),
      } satisfies TransportResponse;
    },
  };
}

function init(request: TransportRequest): FetchInit {
  return {
    method: request.method,
    // Browsers set this header themselves and ignore this value. Elsewhere it avoids gzip for small responses.
    headers: { ...request.headers, 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal: request.signal,
    ...(request.body === undefined ? {} : { body: request.body }),
  };
}

async function readText(response: FetchResponse): Promise<string> {
  // The length of a compressed body says nothing about the size of its text.
  const length = response.headers.get('content-encoding') === null ? response.headers.get('content-length') : null;
  if (length !== null && Number(length) <= MAX_RESPONSE_BYTES) return response.text();
  if (!isByteStream(response.body)) return response.text();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_RESPONSE_BYTES) throw InvalidResponseError.tooLarge(response.status, MAX_RESPONSE_BYTES);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function isByteStream(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
