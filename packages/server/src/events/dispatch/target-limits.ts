import type { Attempted } from './adaptive-limits.ts';

/**
 * A host and port that deliveries go to, over all endpoints and tenants: many URLs on one host must not add up to a
 * flood. Sandboxes have targets of their own, so that they neither use up the share of production tenants nor raise it.
 */
export interface Target {
  /** Concurrency limit over all endpoints of the target. */
  width: number;
  /** Concurrency limit of each endpoint. */
  readonly perEndpoint: number;
  /** In-flight deliveries. */
  running: number;
  /** Deliveries loaded or being loaded, and not started. */
  ahead: number;
  /** Upper bound of `width`; null: it never changes. */
  readonly most: number | null;
}

/** Production: concurrency limit of a target without a success so far, and the lower bound after failures. */
const FIRST_WIDTH = 16;
const LEAST_WIDTH = 4;
/** Concurrency limits of all sandboxes together at one target, and of one endpoint of a sandbox. */
export const SANDBOX_PER_TARGET = 8;
export const SANDBOX_PER_ENDPOINT = 2;
/** Number of targets remembered, the most recently used ones. */
const REMEMBERED = 10_000;

/** Remembers the targets of this process. */
export class Targets {
  readonly #most: number;
  readonly #byKey = new Map<string, Target>();

  /** @param most concurrency limit at one target for production tenants */
  constructor(most: number) {
    this.#most = most;
  }

  of(url: string, sandbox: boolean): Target {
    const key = `${sandbox ? 'sandbox' : 'production'} ${hostAndPort(url)}`;
    const known = this.#byKey.get(key);
    const target = known ?? this.#newTarget(sandbox);
    // To the end: the first one is the least recently used.
    if (known) this.#byKey.delete(key);
    this.#byKey.set(key, target);
    if (this.#byKey.size > REMEMBERED) this.#forgetOne();
    return target;
  }

  /**
   * Doubles the limit after a success and lowers it by one after a failure. One success outweighs many failures, so that
   * failing endpoints of one tenant do not slow down those of others on the same host.
   */
  judge(target: Target, { succeeded }: Attempted): void {
    if (target.most === null) return;
    const least = Math.min(LEAST_WIDTH, target.most);
    target.width = succeeded ? Math.min(target.width * 2, target.most) : Math.max(least, target.width - 1);
  }

  #newTarget(sandbox: boolean): Target {
    const counts = { running: 0, ahead: 0 };
    if (sandbox) return { ...counts, width: SANDBOX_PER_TARGET, perEndpoint: SANDBOX_PER_ENDPOINT, most: null };
    const width = Math.min(FIRST_WIDTH, this.#most);
    return { ...counts, width, perEndpoint: Number.POSITIVE_INFINITY, most: this.#most };
  }

  #forgetOne(): void {
    for (const [key, { running, ahead }] of this.#byKey) {
      if (running + ahead > 0) continue;
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
