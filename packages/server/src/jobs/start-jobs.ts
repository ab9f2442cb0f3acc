import { randomInt } from 'node:crypto';
import { schedule } from 'node-cron';
import { ClockOffsetError } from '../db/clock-watch.ts';
import { type HousekeepingOptions, runHousekeeping } from './housekeeping.ts';

export type JobsOptions = Omit<HousekeepingOptions, 'everyMs' | 'signal'>;

/** The periodic jobs of this process. */
export interface Jobs {
  /** Starts no further run, and ends the current one after its batch. */
  stop(): Promise<void>;
}

/** Minimum time between two runs, over all processes. */
const HOUSEKEEPING_EVERY_MS = 30 * 60_000;
/** Delay of the first run, in seconds: after the start-up work, and spread over the processes. */
const FIRST_DELAY_SECONDS = { min: 60, max: 300 };

/** Runs each job periodically, in one process at a time. */
export function startJobs(options: JobsOptions): Jobs {
  const { log } = options;
  const ending = new AbortController();
  let running: Promise<void> = Promise.resolve();

  const housekeep = (): Promise<void> => {
    running = running.then(async () => {
      if (ending.signal.aborted) return;
      try {
        await runHousekeeping({ ...options, everyMs: HOUSEKEEPING_EVERY_MS, signal: ending.signal });
      } catch (error) {
        if (error instanceof ClockOffsetError) log.error(`housekeeping deletes nothing: ${error.message}`);
        else log.warn({ err: error }, 'housekeeping failed; the next run repeats it');
      }
    });
    return running;
  };

  const hourly = schedule(`${randomInt(60)} ${randomInt(60)} * * * *`, housekeep, {
    name: 'housekeeping',
    noOverlap: true,
    suppressMissedWarning: true,
    unref: true,
    // The scheduler's own logger would write to the console.
    logger: {
      info: (message) => log.debug(message),
      warn: (message) => log.debug(message),
      debug: (message) => log.debug(String(message)),
      error: (message, error) => log.warn({ err: error ?? message }, 'a job failed'),
    },
  });
  const first = setTimeout(housekeep, randomInt(FIRST_DELAY_SECONDS.min, FIRST_DELAY_SECONDS.max) * 1000).unref();

  return {
    async stop() {
      ending.abort();
      clearTimeout(first);
      await hourly.destroy();
      await running;
    },
  };
}
