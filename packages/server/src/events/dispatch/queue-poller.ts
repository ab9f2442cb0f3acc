import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import type { Alarm } from '../../kernel/alarm.ts';
import { QueueScanner } from './queue-scanner.ts';
import type { Scheduler } from './scheduler.ts';

export interface QueuePollerOptions {
  readonly db: Database;
  readonly log: Logger;
  readonly alarm: Alarm;
  readonly scheduler: Scheduler;
  /** Interval of full scans, in ms. */
  readonly pollMs: number;
  /** Interval of recent scans, in ms. */
  readonly recentPollMs: number;
  /** Deliveries scheduled at this instant or earlier are due. */
  dueBy(): number;
}

/** A job that was loaded longer ago than this, in ms, is loaded again: its endpoint may have changed. */
export const MAX_JOB_AGE_MS = 1_000;
/**
 * Interval, in ms, at which ended deliveries are forgotten. Each is kept for one to two intervals, since a replica may still
 * return it as pending.
 */
const REMEMBER_ENDED_MS = 5_000;
/** Bounds of the back-off after a failed read. */
export const MIN_BACK_OFF_MS = 50;
export const MAX_BACK_OFF_MS = 5_000;

export const UNREADABLE = 'could not read the delivery queue; retrying';

/**
 * Decides when the queue is scanned. A full scan runs in the background, since it is slow in a long queue, and new
 * deliveries do not wait for it. A recent scan finds new deliveries in between.
 */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  readonly #scanner: QueueScanner;
  #isScanRequested = true;
  #isRecentScanRequested = false;
  /** The running full scan. */
  #scanning: Promise<void> | null = null;
  #backOffMs = MIN_BACK_OFF_MS;
  #nextScanAt = 0;
  #nextRecentScanAt = 0;
  #nextForgetAt = performance.now() + REMEMBER_ENDED_MS;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
    this.#scanner = new QueueScanner(options.db);
  }

  requestRecentScan(): void {
    this.#isRecentScanRequested = true;
  }

  requestScan(): void {
    this.#isScanRequested = true;
  }

  /** Runs the scans that are due. Resolves to true when a recent scan was made. */
  async poll(shards: readonly number[]): Promise<boolean> {
    const { scheduler, pollMs, recentPollMs, dueBy } = this.#options;
    const now = performance.now();
    if (now >= this.#nextForgetAt && !this.#scanning) {
      scheduler.forgetEnded();
      this.#nextForgetAt = now + REMEMBER_ENDED_MS;
    }
    if (now >= this.#nextScanAt) this.#isScanRequested = true;
    if (this.#isScanRequested && !this.#scanning && now >= this.#scanner.nextScanAt) {
      this.#isScanRequested = false;
      this.#nextScanAt = now + pollMs;
      scheduler.unload(now - MAX_JOB_AGE_MS);
      this.#scanning = this.#scan(shards);
    }
    if (now >= this.#nextRecentScanAt) this.#isRecentScanRequested = true;
    if (!this.#isRecentScanRequested || now < this.#scanner.nextRecentScanAt) return false;
    this.#isRecentScanRequested = false;
    this.#nextRecentScanAt = now + recentPollMs;
    const isRestKnown = !this.#isScanRequested && !this.#scanning;
    if (!(await this.#scanner.scanRecent(scheduler, shards, dueBy(), isRestKnown))) this.#isScanRequested = true;
    return true;
  }

  /** Time until the next scan may start, in ms. */
  get restMs(): number {
    const { pollMs } = this.#options;
    const now = performance.now();
    const recentScanAt = this.#isRecentScanRequested
      ? this.#scanner.nextRecentScanAt
      : Math.min(this.#nextRecentScanAt, now + pollMs);
    // A running scan rings the alarm when it ends.
    if (this.#scanning) return recentScanAt - now;
    return Math.min(recentScanAt, this.#isScanRequested ? this.#scanner.nextScanAt : this.#nextScanAt) - now;
  }

  /** Resolves when no scan is running. */
  async stop(): Promise<void> {
    await this.#scanning;
  }

  async #scan(shards: readonly number[]): Promise<void> {
    const { alarm, dueBy, scheduler, log } = this.#options;
    try {
      if (!(await this.#scanner.scan(scheduler, shards, dueBy()))) this.#isScanRequested = true;
      this.#backOffMs = MIN_BACK_OFF_MS;
    } catch (error) {
      log.warn({ err: error }, UNREADABLE);
      this.#isScanRequested = true;
      await wait(this.#backOffMs);
      this.#backOffMs = Math.min(this.#backOffMs * 2, MAX_BACK_OFF_MS);
    }
    this.#scanning = null;
    alarm.ring();
  }
}
