import type { PlatformError } from '../errors/platform-error.ts';
import { type Clock, MAX_TIMER } from './clock.ts';

/** Cancels the current step of a call: an attempt, a wait or the look-up of its credential. */
export class Cancellation {
  readonly #clock: Clock;
  #reason: PlatformError | undefined;
  #stop: ((reason: PlatformError) => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  cancel(reason: PlatformError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#stop?.(reason);
  }

  /**
   * Sets the function that stops the current step, and replaces the previous one. It is called at once if the call is
   * already cancelled.
   */
  stopWith(stop: (reason: PlatformError) => void): void {
    this.#stop = stop;
    if (this.#reason) stop(this.#reason);
  }

  /** @throws the reason if the call was cancelled */
  throwIfCancelled(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Waits. @throws the reason as soon as the call is cancelled */
  pause(milliseconds: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const disarm = this.#clock.after(milliseconds, resolve);
      this.stopWith((reason) => {
        disarm();
        reject(reason);
      });
    });
  }

  /**
   * Waits for `work` until the call is cancelled or `milliseconds` have passed.
   * @throws the reason of the cancellation, or the result of `late`; `abandon` is called first to stop the work
   */
  within<T>(
    work: Promise<T>,
    milliseconds: number,
    late: () => PlatformError,
    abandon?: (reason: PlatformError) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (reason: PlatformError) => {
        disarm?.();
        reject(reason);
        abandon?.(reason);
      };
      const disarm = milliseconds > MAX_TIMER ? undefined : this.#clock.after(milliseconds, () => end(late()));
      work.then(
        (value) => {
          disarm?.();
          resolve(value);
        },
        (error) => {
          disarm?.();
          reject(error);
        },
      );
      this.stopWith(end);
    });
  }
}
