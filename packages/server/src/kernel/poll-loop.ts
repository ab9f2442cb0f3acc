import { setTimeout as wait } from 'node:timers/promises';
import { Alarm } from './alarm.ts';

/** A queue in the database, and the work of this process on it. */
export interface PolledWork {
  /** Interval of polls without a wake-up, in ms. */
  readonly pollMs: number;
  /** Polls once, and does or starts the due work. Resolves to true to poll again at once. */
  poll(): Promise<boolean>;
  /** Called after each failed poll. The delay grows until a poll succeeds. */
  failed(error: unknown): void;
  /** Resolves to true when work is due, for any process. */
  isAnyDue(): Promise<boolean>;
  /** True while started work is in progress. */
  isBusy?(): boolean;
}

const MAX_BACK_OFF_MS = 30_000;

/** Polls for work, and sleeps while none is due. Can be started once and stopped once. */
export class PollLoop {
  readonly #work: PolledWork;
  readonly #alarm = new Alarm();
  #state: 'new' | 'running' | 'stopped' = 'new';
  #isPolling = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(work: PolledWork) {
    this.#work = work;
  }

  get isRunning(): boolean {
    return this.#state === 'running';
  }

  start(): void {
    if (this.#state !== 'new') return;
    this.#state = 'running';
    this.#ended = this.#run();
  }

  /** Wake-up: work may be due now. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Resolves when no work is due or in progress here; at once when not running. Also when the signal is aborted. */
  async idle(signal?: AbortSignal): Promise<void> {
    while (this.isRunning && !signal?.aborted) {
      const isAnyDue = await this.#work.isAnyDue();
      if (!isAnyDue && !this.#isPolling && !this.#work.isBusy?.()) return;
      if (isAnyDue) this.wake();
      await wait(5);
    }
  }

  /** Starts no further poll. Resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.wake();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { pollMs } = this.#work;
    let delayMs = pollMs;
    while (this.isRunning) {
      try {
        this.#isPolling = true;
        const pollAgain = await this.#work.poll();
        this.#isPolling = false;
        delayMs = pollMs;
        if (!pollAgain) await this.#alarm.sleep(pollMs);
      } catch (error) {
        this.#isPolling = false;
        this.#work.failed(error);
        await this.#alarm.sleep(delayMs);
        delayMs = Math.min(delayMs * 2, MAX_BACK_OFF_MS);
      }
    }
  }
}
