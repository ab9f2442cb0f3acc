/** One attempt, as a {@link Transport} gets it. */
export interface TransportRequest {
  /** HTTP method. */
  readonly method: string;
  /** Scheme, host and port, for example `https://api.example.com`. */
  readonly origin: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** `origin` and `path` together. */
  readonly url: string;
  /** Lower-case names. `content-length` is left to the transport. */
  readonly headers: Readonly<Record<string, string>>;
  /** Text of the type in `content-type`; undefined when the request has no body. */
  readonly body: string | undefined;
  /**
   * Aborts when the attempt's time is over or the caller gave up. Made when it is first read: a transport that
   * can use {@link onCancel} saves the cost of it.
   */
  readonly signal: AbortSignal;
  /** Registers the one function that stops the attempt; called at most once. */
  onCancel(stop: (reason: Error) => void): void;
}

/** Header look-up by lower-case name; a `Headers` object is one. */
export interface TransportHeaders extends Iterable<[string, string]> {
  /** Returns a header by its name in any case, or null. */
  get(name: string): string | null;
}

/** An answer whose body has been read to its end. */
export interface TransportResponse {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: TransportHeaders;
  /** The whole body as text. */
  readonly body: string;
}

/**
 * Carries one request over the network and reads the answer to its end. It never retries, never follows a redirect
 * (the credential would go along) and never asks for compression. A rejection counts as a connection error and is
 * retried; with `staleConnection: true` on the error it is retried at once (an idle connection was found closed).
 *
 * Time-outs and aborts are the client's: a transport only stops its work when told to.
 */
export interface Transport {
  /** Sends one request and reads its response. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections. The transport stays usable. */
  close?(): void;
}

/** The largest answer that is read, in bytes: far above any page, far below what would hurt. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
