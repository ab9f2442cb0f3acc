import { remember } from '../../kernel/remember.ts';

/** Result of one attempt, as far as it changes concurrency limits. */
export interface AttemptResult {
  readonly succeeded: boolean;
  readonly durationMs: number;
}

/** Concurrency limit of one endpoint, adjusted after each attempt of this process. */
export interface AdaptiveLimit {
  /** Maximum number of in-flight deliveries. */
  limit: number;
  /** The last attempt succeeded within `FAST_MS`. False for an endpoint without attempts. */
  isProven: boolean;
  hasFailed: boolean;
}

/** Concurrency limit of an endpoint without attempts. */
const INITIAL_LIMIT = 4;
/** A slower endpoint occupies capacity that others could use. */
const FAST_MS = 1_000;

/** Remembers the adaptive limit of each endpoint, also while the endpoint has no due deliveries. */
export class AdaptiveLimits {
  readonly #maxLimit: number;
  readonly #byEndpoint = new Map<string, AdaptiveLimit>();

  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit;
  }

  of(endpointId: string): AdaptiveLimit {
    const known = this.#byEndpoint.get(endpointId);
    const limit = known ?? { limit: Math.min(INITIAL_LIMIT, this.#maxLimit), isProven: false, hasFailed: false };
    // Those of the most recently used endpoints are kept.
    remember(this.#byEndpoint, endpointId, limit);
    return limit;
  }

  /** Doubles the limit after a success and halves it after a failure, down to one. */
  adjust(adaptive: AdaptiveLimit, { succeeded, durationMs }: AttemptResult): void {
    const { limit } = adaptive;
    adaptive.limit = succeeded ? Math.min(limit * 2, this.#maxLimit) : Math.max(1, Math.floor(limit / 2));
    adaptive.isProven = succeeded && durationMs <= FAST_MS;
    adaptive.hasFailed = !succeeded;
  }
}
