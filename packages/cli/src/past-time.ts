import { CliError } from './cli-error.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * A time as it is typed: ISO 8601, or so long ago as `30s`, `10m`, `2h`, `1d`. In ms.
 * @throws {@link CliError} `USAGE`
 */
export function readPastTime(option: string, given: string, now: number): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const length = UNITS[unit];
  if (length !== undefined) return now - Number(count) * length;
  const time = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new CliError(
    'USAGE',
    `${option} takes a time such as 2026-01-02T03:04:05Z, or 30s, 10m, 2h, 1d; not "${given}"`,
  );
}
