import { setTimeout as wait } from 'node:timers/promises';
import { Alarm } from './alarm.ts';

/** What a {@link PollLoop} goes round for: a queue in the database, and what this process does with it. */
export interface PolledWork {
  /** How often the queue is looked at without a hint, in ms. */
  readonly pollMs: number;
  /** Looks once, and does or begins what is due. Resolves to whether to look again at once. */
  look(): Promise<boolean>;
  /** Told of each look that failed. The next one comes later and later, until one succeeds. */
  failed(error: unknown): void;
  /** Whether the queue has anything due, for any process. */
  isAnyDue(): Promise<boolean>;
  /** Whether what a look began is still under way; never when absent. */
  isBusy?(): boolean;
}

const LONGEST_PAUSE_MS = 30_000;

/** Looks for work, over and over, and sleeps while there is none. It is started once and stopped once. */
export class PollLoop {
  readonly #work: PolledWork;
  readonly #alarm = new Alarm();
  #state: 'new' | 'running' | 'stopped' = 'new';
  #isLooking = false;
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

  /** A hint that something is due now. */
  wake(): void {
    this.#alarm.ring();
  }

  /** Resolves when nothing is due or under way here, or the signal says to wait no more. At once when not running. */
  async idle(signal?: AbortSignal): Promise<void> {
    while (this.isRunning && !signal?.aborted) {
      const isAnyDue = await this.#work.isAnyDue();
      if (!isAnyDue && !this.#isLooking && !this.#work.isBusy?.()) return;
      if (isAnyDue) this.wake();
      await wait(5);
    }
  }

  /** Resolves when the look under way, if any, is over. No other one begins. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.wake();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { pollMs } = this.#work;
    let pause = pollMs;
    while (this.isRunning) {
      try {
        this.#isLooking = true;
        const goesOn = await this.#work.look();
        this.#isLooking = false;
        pause = pollMs;
        if (!goesOn) await this.#alarm.sleep(pollMs);
      } catch (error) {
        this.#isLooking = false;
        this.#work.failed(error);
        await this.#alarm.sleep(pause);
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      }
    }
  }
}
