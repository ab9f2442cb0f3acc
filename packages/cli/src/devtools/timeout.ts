import { LIMITS } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';

/**
 * Reads how long a server of the development mode may work on something.
 * @returns milliseconds
 * @throws {@link CliError} `USAGE` for less than it takes, or more
 */
export function readTimeoutMs(given: string): number {
  const { min, max } = LIMITS.devWaitSeconds;
  const seconds = /^\d+$/.test(given) ? Number(given) : 0;
  if (seconds >= min && seconds <= max) return seconds * 1000;
  throw new CliError('USAGE', `--timeout takes seconds, ${min} to ${max}, not "${given}"`);
}
