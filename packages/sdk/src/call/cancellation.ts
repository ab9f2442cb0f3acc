import type { PlatformError } from '../errors/platform-error.ts';
import { type Clock, MAX_TIMER } from './clock.ts';

/** Ends whatever a call is doing at the moment: an attempt, a wait, the look-up of its credential. */
export class Cancellation {
  #reason: PlatformError | undefined;
  #stop: ((reason: PlatformError) => void) | undefined;

  cancel(reason: PlatformError): void {
    if (this.#reason) return;
    this.#reason = reason;
    this.#stop?.(reason);
  }

  /** Names what to stop from now on, in place of what was named before; at once when cancelled already. */
  stopWith(stop: (reason: PlatformError) => void): void {
    this.#stop = stop;
    if (this.#reason) stop(this.#reason);
  }

  /** @throws the reason, when cancelled */
  throwIfCancelled(): void {
    if (this.#reason) throw this.#reason;
  }

  /** Waits. @throws the reason, as soon as the call is cancelled */
  pause(milliseconds: number, clock: Clock): Promise<void> {
    return new Promise((resolve, reject) => {
      const disarm = clock.after(milliseconds, resolve);
      this.stopWith((reason) => {
        disarm();
        reject(reason);
      });
    });
  }

  /**
   * Runs `work` for as long as the call is not cancelled and `milliseconds` are not over.
   * @throws the reason, or what `late` gives; `abandon` is told first, so that the work can be stopped
   */
  within<T>(
    work: Promise<T>,
    milliseconds: number,
    clock: Clock,
    late: () => PlatformError,
    abandon?: (reason: PlatformError) => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (reason: PlatformError) => {
        disarm?.();
        reject(reason);
        abandon?.(reason);
      };
      const disarm = milliseconds > MAX_TIMER ? undefined : clock.after(milliseconds, () => end(late()));
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
