import { randomInt } from 'node:crypto';
import { schedule } from 'node-cron';
import { type HousekeepingOptions, runHousekeeping } from './housekeeping.ts';

export type JobsOptions = Omit<HousekeepingOptions, 'everyMs' | 'signal'>;

/** What runs by the clock of this process. */
export interface Jobs {
  /** Begins nothing new; what runs ends within a moment. */
  stop(): Promise<void>;
}

/** Of several processes whose turns lie close together one is enough. */
const HOUSEKEEPING_EVERY_MS = 30 * 60_000;
/** The first time, in seconds after the start: when the work of the start is over, and not in all processes at once. */
const FIRST_AFTER = { least: 60, most: 300 };

/** Runs each job in its turn, in one process at a time however many have started theirs. */
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
        log.warn({ err: error }, 'housekeeping failed; it is tried again in its next turn');
      }
    });
    return running;
  };

  const hourly = schedule(`${randomInt(60)} ${randomInt(60)} * * * *`, housekeep, {
    name: 'housekeeping',
    noOverlap: true,
    suppressMissedWarning: true,
    unref: true,
    // Its own would write to the console.
    logger: {
      info: (message) => log.debug(message),
      warn: (message) => log.debug(message),
      debug: (message) => log.debug(String(message)),
      error: (message, error) => log.warn({ err: error ?? message }, 'a job failed'),
    },
  });
  const first = setTimeout(housekeep, randomInt(FIRST_AFTER.least, FIRST_AFTER.most) * 1000).unref();

  return {
    async stop() {
      ending.abort();
      clearTimeout(first);
      await hourly.destroy();
      await running;
    },
  };
}
