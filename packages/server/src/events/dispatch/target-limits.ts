import type { AttemptResult } from './adaptive-limits.ts';

/**
 * Concurrency limit of a host and port, over all endpoints and tenants: many URLs on one host must not add up to a
 * flood. Sandboxes have separate targets, so that they neither use nor change the limit of production tenants.
 */
export interface Target {
  /** Maximum number of in-flight deliveries over all endpoints of the target. */
  limit: number;
  /** Concurrency limit of each endpoint. */
  readonly perEndpoint: number;
  inFlight: number;
  /** Deliveries loaded or being loaded, and not started. */
  prefetched: number;
  /** Upper bound of `limit`; null when the limit is fixed. */
  readonly maxLimit: number | null;
}

/** Production: concurrency limit of a target without a success so far, and the lower bound after failures. */
const INITIAL_LIMIT = 16;
const MIN_LIMIT = 4;
/** Concurrency limits of all sandboxes together at one target, and of one endpoint of a sandbox. */
export const SANDBOX_PER_TARGET = 8;
export const SANDBOX_PER_ENDPOINT = 2;
/** Number of targets remembered, the most recently used ones. */
const MAX_REMEMBERED = 10_000;

/** Remembers the targets of this process. */
export class TargetLimits {
  readonly #maxLimit: number;
  readonly #byKey = new Map<string, Target>();

  /** @param maxLimit concurrency limit at one target for production tenants */
  constructor(maxLimit: number) {
    this.#maxLimit = maxLimit;
  }

  of(url: string, sandbox: boolean): Target {
    const key = `${sandbox ? 'sandbox' : 'production'} ${hostAndPort(url)}`;
    const known = this.#byKey.get(key);
    const target = known ?? this.#newTarget(sandbox);
    // Moved to the end: the first entry is the least recently used.
    if (known) this.#byKey.delete(key);
    this.#byKey.set(key, target);
    if (this.#byKey.size > MAX_REMEMBERED) this.#forgetOne();
    return target;
  }

  /**
   * Doubles the limit after a success and lowers it by one after a failure. One success outweighs many failures, so that
   * failing endpoints of one tenant do not slow down those of others on the same host.
   */
  adjust(target: Target, { succeeded }: AttemptResult): void {
    if (target.maxLimit === null) return;
    const least = Math.min(MIN_LIMIT, target.maxLimit);
    target.limit = succeeded ? Math.min(target.limit * 2, target.maxLimit) : Math.max(least, target.limit - 1);
  }

  #newTarget(sandbox: boolean): Target {
    const counts = { inFlight: 0, prefetched: 0 };
    if (sandbox) return { ...counts, limit: SANDBOX_PER_TARGET, perEndpoint: SANDBOX_PER_ENDPOINT, maxLimit: null };
    const limit = Math.min(INITIAL_LIMIT, this.#maxLimit);
    return { ...counts, limit, perEndpoint: Number.POSITIVE_INFINITY, maxLimit: this.#maxLimit };
  }

  #forgetOne(): void {
    for (const [key, { inFlight, prefetched }] of this.#byKey) {
      if (inFlight + prefetched > 0) continue;
      this.#byKey.delete(key);
      return;
    }
  }
}

/** Host and port as the URL standard writes them, without the dot at the end of a fully qualified name. */
function hostAndPort(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? '443' : '80') : parsed.port;
  return `${parsed.hostname.replace(/\.$/, '')}:${port}`;
}
