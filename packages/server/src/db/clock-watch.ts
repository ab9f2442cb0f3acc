import type { Logger } from 'pino';
import { ClockEstimate } from '../kernel/clock-estimate.ts';
import { gauge } from '../kernel/meter.ts';
import { OperatorError } from '../kernel/operator-error.ts';
import type { Database } from './database.ts';
import { databaseNow } from './database-clock.ts';
import { selectOne } from './sql.ts';

/** Reads the database's clock. The text differs from every other statement, so that tests can leave it out. */
export const CLOCK_READ = 'SELECT /* clock */ ';

const SAMPLES = 3;
const EVERY_MS = 15_000;

/** Thrown when the clocks of the process and the database differ too much. */
export class ClockOffsetError extends OperatorError {
  override readonly name = 'ClockOffsetError';
}

/** Compares the clocks of this process and its database. Both may be the wrong one. */
export class ClockWatch {
  readonly #options: ClockWatchOptions;
  readonly #databaseClock = new ClockEstimate();
  #timer: NodeJS.Timeout | undefined;
  #isOff = false;
  #isStopped = false;

  constructor(options: ClockWatchOptions) {
    this.#options = options;
  }

  /** Measures now, and then periodically. */
  async start(): Promise<void> {
    await this.#measure();
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** @throws {@link ClockOffsetError} when the offset exceeds the maximum */
  check(): void {
    const problem = offsetProblem(this.#offsetMs() ?? 0, this.#options.maxOffsetMs);
    if (problem !== null) throw new ClockOffsetError(problem);
  }

  #offsetMs(): number | undefined {
    const databaseMs = this.#databaseClock.at(performance.now());
    return databaseMs === undefined ? undefined : Date.now() - databaseMs;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(async () => {
      await this.#measure();
      this.#schedule();
    }, EVERY_MS).unref();
  }

  async #measure(): Promise<void> {
    const { db, log, maxOffsetMs } = this.#options;
    try {
      await sampleClock(db, this.#databaseClock);
    } catch (error) {
      log.debug({ err: error }, 'the clock of the database could not be read');
      return;
    }
    const offsetMs = this.#offsetMs() ?? 0;
    gauge('plat_clock_offset_seconds', {}, offsetMs / 1000);
    const problem = offsetProblem(offsetMs, maxOffsetMs);
    if (problem !== null && !this.#isOff) log.error({ offsetMs }, problem);
    if (problem === null && this.#isOff)
      log.info({ offsetMs }, 'the clocks of this process and its database agree again');
    this.#isOff = problem !== null;
  }
}

export interface ClockWatchOptions {
  readonly db: Database;
  readonly log: Logger;
  /** Maximum difference of the two clocks, in ms. */
  readonly maxOffsetMs: number;
}

/**
 * Returns the database's time, in ms.
 * @throws {@link ClockOffsetError} when the clock of this process differs by more than `maxOffsetMs`
 */
export async function agreedNow(db: Database, maxOffsetMs: number): Promise<number> {
  const now = await readDatabaseClock(db);
  const problem = offsetProblem(Date.now() - now, maxOffsetMs);
  if (problem !== null) throw new ClockOffsetError(problem);
  return now;
}

/** Returns the database's time, in ms. */
export async function readDatabaseClock(db: Database): Promise<number> {
  const databaseClock = new ClockEstimate();
  await sampleClock(db, databaseClock);
  return databaseClock.at(performance.now()) ?? Number.NaN;
}

/** Several samples: the one with the shortest round trip is the most precise. */
async function sampleClock(db: Database, databaseClock: ClockEstimate): Promise<void> {
  for (let i = 0; i < SAMPLES; i++) {
    const before = performance.now();
    const row = await selectOne<{ now: number }>(db, `${CLOCK_READ}${databaseNow(db)} AS now`);
    databaseClock.add(Number(row?.now), before, performance.now());
  }
}

function offsetProblem(offsetMs: number, maxOffsetMs: number): string | null {
  if (Math.abs(offsetMs) <= maxOffsetMs) return null;
  const seconds = Math.round(Math.abs(offsetMs) / 1000).toLocaleString('en');
  const side = offsetMs > 0 ? 'ahead of' : 'behind';
  return `the clock of this process is ${seconds} s ${side} the clock of the database, and PLAT_MAX_CLOCK_OFFSET_SECONDS is ${maxOffsetMs / 1000}: synchronise both clocks (NTP)`;
}
