/** The state of a counter after a request. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** End of the window, in Unix seconds. */
  readonly reset: number;
  /** Seconds until the end of the window when the limit is exceeded; else null. */
  readonly retryAfter: number | null;
}

/** Counts requests by key. */
export interface Counter {
  /** Counts one request of the caller that the key stands for. */
  consume(key: string): Promise<RateState>;
}

/** Creates counters; each has a name of its own. */
export interface Counters {
  counter(name: string, window: Window): Counter;
  close(): void;
}

export interface Window {
  /** Number of requests within the limit. */
  readonly points: number;
  readonly seconds: number;
}
