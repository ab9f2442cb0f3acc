/** A request of one attempt, passed to a {@link Transport}. */
export interface TransportRequest {
  /** HTTP method. */
  readonly method: string;
  /** Scheme, host and port, for example `https://api.example.com`. */
  readonly origin: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** `origin` and `path` together. */
  readonly url: string;
  /** Request headers with lower-case names. The transport sets `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body text of the type in `content-type`; undefined if the request has no body. */
  readonly body: string | undefined;
  /**
   * Aborts when the attempt times out or the caller cancels. It is created when it is first read: a transport that can
   * use {@link onCancel} avoids its cost.
   */
  readonly signal: AbortSignal;
  /** Sets the only function that stops the attempt; called at most once. */
  onCancel(stop: (reason: Error) => void): void;
}

/** Response headers by lower-case name, for example a `Headers` object. */
export interface TransportHeaders extends Iterable<[string, string]> {
  /** Returns a header by its lower-case name, or null. */
  get(name: string): string | null;
}

/** A response whose body was read completely. */
export interface TransportResponse {
  /** HTTP status. */
  readonly status: number;
  /** Response headers. */
  readonly headers: TransportHeaders;
  /** The whole body as text. */
  readonly body: string;
}

/**
 * Sends one request and reads the complete response. It must never retry, never follow a redirect (which would pass on
 * the credential) and never request compression. A rejection counts as a connection error and is retried. With
 * `staleConnection: true` on the error (an idle connection was found closed) it is retried at once. The client handles
 * time-outs and aborts: a transport only stops its work on request.
 */
export interface Transport {
  /** Sends one request and reads its response. */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Closes idle connections. The transport stays usable. */
  close?(): void;
}

/** Maximum size of a response in bytes, far above any page. */
export const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;
