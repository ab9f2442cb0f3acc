/** The state of a counter after a request. */
export interface RateState {
  readonly limit: number;
  readonly remaining: number;
  /** Time until the end of the window, in ms. */
  readonly endsInMs: number;
  /** End of the window, in Unix seconds. */
  readonly reset: number;
  /** Seconds until the end of the window if the limit is exceeded; else null. */
  readonly retryAfter: number | null;
}

/** A window after a request. */
interface UsedWindow {
  readonly limit: number;
  /** Requests in the window, refused ones too. */
  readonly used: number;
  /** Time of the request, in ms. */
  readonly now: number;
  readonly endsInMs: number;
}

/** Returns the state of a window. Whole seconds are rounded up, so that a caller who waits for them is not refused. */
export function stateOf({ limit, used, now, endsInMs }: UsedWindow): RateState {
  return {
    limit,
    remaining: Math.max(0, limit - used),
    endsInMs,
    reset: Math.ceil((now + endsInMs) / 1000),
    retryAfter: used > limit ? Math.max(1, Math.ceil(endsInMs / 1000)) : null,
  };
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
