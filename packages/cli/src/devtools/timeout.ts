import { CliError } from '../cli-error.ts';

/**
 * Reads how long a server of the development mode may work on something.
 * @returns milliseconds
 * @throws {@link CliError} `USAGE` for less than it takes, or more
 */
export function readTimeoutMs(given: string): number {
  const seconds = /^\d{1,3}$/.test(given) ? Number(given) : 0;
  if (seconds >= 1 && seconds <= 600) return seconds * 1000;
  throw new CliError('USAGE', `--timeout takes seconds, 1 to 600, not "${given}"`);
}
