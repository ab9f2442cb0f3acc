import { readDate, readRateLimit } from '../rate-limit.ts';
import type { TransportResponse } from '../transport/transport.ts';
import type { Clock } from './clock.ts';

/** Maximum number of credentials whose windows are remembered. */
const MAX_REMEMBERED = 1_000;

/** Pacers of this process by service and credential, so that all clients with one credential share its limit. */
const pacers = new Map<string, Pacer>();

/** Returns the pacer of a credential. */
export function pacerOf(service: string, token: string): Pacer {
  const key = `${service} ${token}`;
  const known = pacers.get(key) ?? new Pacer();
  // Moved to the end: the first one is the one that was unused for the longest time.
  pacers.delete(key);
  pacers.set(key, known);
  const [oldest] = pacers.size > MAX_REMEMBERED ? pacers.keys() : [];
  if (oldest !== undefined) pacers.delete(oldest);
  return known;
}

/** A call that waits for the rate limit. */
interface Wait {
  /** Resolves when the call asks again. */
  readonly over: Promise<void>;
  /** Ends the wait of a call that has ended. */
  leave(): void;
}

/**
 * Sends as many requests in a window of the rate limit as the service accepts. The first request is sent alone, because
 * only its response has the limit.
 */
class Pacer {
  /** Null until a response has it; infinite if the service has no limit. */
  #limit: number | null = null;
  #remaining = 0;
  /** Local time at which the window ends in ms; infinite until a response of the window has it. */
  #endsAt = Number.POSITIVE_INFINITY;
  /** End of the last window in the service's time, in ms. */
  #resetAt = 0;
  #inFlight = 0;
  #waiting = new Set<() => void>();
  #timer: (() => void) | undefined;

  /** Returns null if a request can be sent now; else a wait for the next time at which to ask again. */
  reserve(clock: Clock): Wait | null {
    if (this.#limit !== null && clock.now() >= this.#endsAt) {
      // Requests that are in flight at the end of a window can be counted in the next one.
      this.#remaining = this.#limit - this.#inFlight;
      this.#endsAt = Number.POSITIVE_INFINITY;
    }
    // Without a response to wait for, one request finds out.
    const isProbe = this.#inFlight === 0 && this.#endsAt === Number.POSITIVE_INFINITY;
    if (this.#remaining > 0 || isProbe) {
      this.#remaining--;
      this.#inFlight++;
      return null;
    }
    let leave = (): void => {};
    const over = new Promise<void>((resolve) => {
      this.#waiting.add(resolve);
      leave = () => {
        // Without anyone who waits, the timer would keep the process running.
        if (this.#waiting.delete(resolve) && this.#waiting.size === 0) this.#wake();
      };
      if (this.#endsAt === Number.POSITIVE_INFINITY) return;
      this.#timer ??= clock.after(this.#endsAt - clock.now(), () => this.#wake());
    });
    return { over, leave };
  }

  /** Sends a request that was reserved, and reads the limit from its response. */
  async observe(send: () => Promise<TransportResponse>, clock: Clock): Promise<TransportResponse> {
    let response: TransportResponse | undefined;
    try {
      response = await send();
      return response;
    } finally {
      this.#inFlight--;
      if (response) this.#learn(response, clock.now());
      // Those who wait without a timer ask again, because the end of the window can be known now.
      if (this.#remaining > 0 || !this.#timer) this.#wake();
    }
  }

  #learn({ status, headers }: TransportResponse, now: number): void {
    const rate = readRateLimit(headers);
    if (!rate) {
      if (this.#limit !== null) return;
      this.#limit = Number.POSITIVE_INFINITY;
      this.#remaining = Number.POSITIVE_INFINITY;
      return;
    }
    const resetAt = rate.resetAt.getTime();
    const isLate = resetAt === this.#resetAt && this.#endsAt === Number.POSITIVE_INFINITY;
    // A response of a former window says nothing about this one, unless the service refuses the request.
    if (resetAt < this.#resetAt || (isLate && status !== 429)) return;
    const isFirst = this.#limit === null || this.#limit === Number.POSITIVE_INFINITY;
    const isNew = resetAt > this.#resetAt && this.#endsAt !== Number.POSITIVE_INFINITY;
    if (isFirst || isNew) this.#remaining = rate.remaining - this.#inFlight;
    else this.#remaining = Math.min(this.#remaining, rate.remaining);
    if (resetAt > this.#resetAt || status === 429)
      this.#endsAt = now + Math.max(0, resetAt - (readDate(headers) ?? now));
    this.#limit = rate.limit;
    this.#resetAt = resetAt;
  }

  #wake(): void {
    this.#timer?.();
    this.#timer = undefined;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const resolve of waiting) resolve();
  }
}
