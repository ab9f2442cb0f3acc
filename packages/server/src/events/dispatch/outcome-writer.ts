import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { type HealthRecorder, type Outcome, writeOutcomes } from '../outbox/outcomes.ts';

export interface OutcomeWriterOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly owner: string;
  /** Time for which an outcome waits to be written together with others, in ms. */
  readonly windowMs: number;
  readonly health: HealthRecorder;
  /**
   * Called with outcomes that were written, or refused because the lease of their shard ended or their rows were deleted.
   * @param isWhole no outcome was refused
   */
  recorded(outcomes: readonly Outcome[], isWhole: boolean): void;
}

const BATCH = 100;
const MIN_BACK_OFF_MS = 50;
const MAX_BACK_OFF_MS = 2_000;

/**
 * Writes outcomes in batches, one batch at a time. A failed write is repeated until it succeeds: without its outcome a
 * delivery would be sent again.
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

  /** Number of outcomes that are not written yet. */
  get size(): number {
    return this.#unwritten;
  }

  /**
   * Adds an outcome to the next batch.
   * @param isLast no other delivery is in flight, so the batch is written at once
   */
  add(outcome: Outcome, isLast: boolean): void {
    if (this.#abandoned) return;
    this.#queue.push(outcome);
    this.#unwritten++;
    if (isLast || this.#queue.length >= BATCH) void this.#flush();
    else this.#timer ??= setTimeout(() => void this.#flush(), this.#options.windowMs);
  }

  /** Drops the outcomes that are not written: their deliveries stay pending and are sent again. */
  abandon(): void {
    this.#abandoned = true;
    clearTimeout(this.#timer);
  }

  async #flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#writing) return;
    this.#writing = true;
    // Outcomes that were added during a write are written next, without a further wait.
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

  /** Resolves to the number of outcomes written. */
  async #write(batch: readonly Outcome[]): Promise<number> {
    const { db, owner, log, health } = this.#options;
    for (let backOffMs = MIN_BACK_OFF_MS; !this.#abandoned; backOffMs = Math.min(backOffMs * 2, MAX_BACK_OFF_MS)) {
      try {
        const written = await writeOutcomes(db, owner, batch, health);
        if (written < batch.length) {
          log.warn(
            { refused: batch.length - written },
            'outcomes of deliveries were refused: another dispatcher took over their shards, or their rows were deleted',
          );
        }
        return written;
      } catch (error) {
        log.warn({ err: error, outcomes: batch.length }, 'could not write the outcomes of deliveries; retrying');
        await wait(backOffMs);
      }
    }
    return 0;
  }
}
