import { runHousekeeping } from '../../jobs/housekeeping.ts';
import { CommandError } from '../command-error.ts';
import type { Operator } from './operator.ts';

/** Runs housekeeping now. Resolves to the number of deleted rows by table. */
export async function deleteExpiredRows({ db, config, log }: Operator) {
  const { maxClockOffsetMs } = config;
  const counts = await runHousekeeping({ db, log, maxClockOffsetMs, ...config.housekeeping });
  if (counts === null) throw new CommandError('another process is running housekeeping; try again later');
  return counts;
}
