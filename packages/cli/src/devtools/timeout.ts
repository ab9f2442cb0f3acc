import { LIMITS } from '@plat/contract';
import { CliError } from '../errors/cli-error.ts';

/**
 * Parses the time limit for work of a server in development mode.
 * @returns milliseconds
 * @throws {@link CliError} `USAGE` outside the accepted range
 */
export function readTimeoutMs(given: string): number {
  const { min, max } = LIMITS.devWaitSeconds;
  const seconds = /^\d+$/.test(given) ? Number(given) : 0;
  if (seconds >= min && seconds <= max) return seconds * 1000;
  throw new CliError('USAGE', `--timeout takes seconds, ${min} to ${max}, not "${given}"`);
}
