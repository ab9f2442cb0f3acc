import { CliError } from '../errors/cli-error.ts';
import { durationMs } from './duration.ts';

/**
 * Parses a time to milliseconds: ISO 8601, or an age such as `30s`, `10m`, `2h` or `1d`.
 * @throws {@link CliError} `USAGE`
 */
export function readPastTime(option: string, given: string, now: number): number {
  const length = durationMs(given);
  if (length !== undefined) return now - length;
  const time = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CliError(
    'USAGE',
    `${option} takes a time such as 2026-01-02T03:04:05Z, or 30s, 10m, 2h, 1d; not "${given}"`,
  );
}
