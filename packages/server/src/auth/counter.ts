/** The state of a counter after a request. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in Unix seconds. */
  readonly reset: number;
  /** Seconds until the end of the window if the limit is exceeded; else null. */
  readonly retryAfter: number | null;
}

/** Counts requests by key. */
export interface Counter {
  /** Counts one request of the caller that the key identifies. */
  consume(key: string): Promise<RateState>;
}

/** Creates counters. Each counter has its own name. */
export interface Counters {
  counter(name: string, window: Window): Counter;
  close(): void;
}

export interface Window {
  /** Maximum number of requests per window. */
  readonly points: number;
  readonly seconds: number;
}
