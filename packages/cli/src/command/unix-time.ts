import { CliError } from '../errors/cli-error.ts';

/**
 * Parses a time to whole Unix seconds: Unix seconds as in the `t` of a signature, or ISO 8601 as in the API's JSON.
 * @throws {@link CliError} `USAGE`
 */
export function readUnixTime(option: string, given: string): number {
  if (/^\d{1,11}$/.test(given)) return Number(given);
  const time = /^\d{4}-\d{2}-\d{2}T/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(time)) return Math.floor(time / 1000);
  throw new CliError('USAGE', `${option} takes Unix seconds or a time such as 2026-01-02T03:04:05Z, not "${given}"`);
}
