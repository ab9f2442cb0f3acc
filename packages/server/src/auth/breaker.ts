/** Number of consecutive failures after which the breaker opens. */
const MAX_FAILURES = 3;
/** Interval of probes while it is open, in ms. */
const PROBE_MS = 500;

export interface BreakerOptions {
  /** Rejects while the protected service does not answer. */
  readonly probe: () => Promise<unknown>;
  /** Called when the breaker opens with the error that opened it, and with null when it closes. */
  readonly changed: (error: unknown) => void;
  /** Interval of probes while it is open, in ms. */
  readonly probeMs?: number;
}

/** A circuit breaker: after some consecutive failures no call is made until a probe in the background succeeds. */
export class Breaker {
  readonly #options: BreakerOptions;
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  /** True while calls must not be made. */
  get isOpen(): boolean {
    return this.#timer !== undefined;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  failed(error: unknown): void {
    this.#failures++;
    if (this.#failures < MAX_FAILURES || this.isOpen || this.#isStopped) return;
    this.#schedule();
    this.#options.changed(error);
  }

  /** Ends the probes. Nothing is reported afterwards. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer = setTimeout(() => void this.#probe(), this.#options.probeMs ?? PROBE_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
    } catch {
      if (!this.#isStopped) this.#schedule();
      return;
    }
    if (this.#isStopped) return;
    this.#timer = undefined;
    this.#failures = 0;
    this.#options.changed(null);
  }
}
