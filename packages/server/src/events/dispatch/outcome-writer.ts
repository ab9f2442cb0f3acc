import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type EndpointWatch, type Outcome, writeOutcomes } from '../outbox/outcomes.ts';

export interface OutcomeWriterOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly owner: string;
  /** How long, in ms, an outcome waits for others to be written with. */
  readonly windowMs: number;
  readonly watch: EndpointWatch;
  /** Called with what is written, or was refused because it is somebody else's by now. `isWhole`: nothing was refused. */
  recorded(outcomes: readonly Outcome[], isWhole: boolean): void;
}

const BATCH = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Writes outcomes in batches, one batch at a time. What cannot be written is tried until it can: the deliveries
 * have happened, and without their outcomes they would happen again.
 */
export class OutcomeWriter {
  readonly #options: OutcomeWriterOptions;
  #queue: Outcome[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing = false;
  #abandoned = false;
  #unwritten = 0;

  constructor(options: OutcomeWriterOptions) {
    this.#options = options;
  }

  /** Outcomes not yet written. */
  get size(): number {
    return this.#unwritten;
  }

  /** @param last whether none will follow soon, so that waiting for others is of no use */
  add(outcome: Outcome, last: boolean): void {
    if (this.#abandoned) return;
    this.#queue.push(outcome);
    this.#unwritten++;
    if (last || this.#queue.length >= BATCH) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#options.windowMs);
  }

  /** Gives up what is not written: it stays pending, and will be sent again. */
  abandon(): void {
    this.#abandoned = true;
    clearTimeout(this.#timer);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing) return;
    this.#writing = true;
    // What came in during a write is written next, without a window: it has waited long enough.
    while (this.#queue.length > 0 && !this.#abandoned) {
      const batch = this.#queue.splice(0, BATCH);
      const written = await this.#write(batch);
      this.#unwritten -= batch.length;
      this.#options.recorded(batch, written === batch.length);
      if (this.#queue.length < BATCH) break;
    }
    this.#writing = false;
    if (this.#queue.length > 0) this.#timer ??= setTimeout(() => void this.#flush(), this.#options.windowMs);
  }

  /** Resolves to how many were written. */
  async #write(batch: readonly Outcome[]): Promise<number> {
    const { db, owner, log, watch } = this.#options;
    for (let pause = 50; !this.#abandoned; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        const written = await writeOutcomes(db, owner, batch, watch);
        if (written < batch.length) {
          log.warn(
            { refused: batch.length - written },
            'outcomes of deliveries were refused: their shards changed hands',
          );
        }
        return written;
      } catch (error) {
        log.warn({ err: error, outcomes: batch.length }, 'outcomes of deliveries could not be written; trying again');
        await wait(pause);
      }
    }
    return 0;
  }
}
