import { DAY_MS } from './clock.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: DAY_MS };

/** Parses a duration such as `30s`, `90m`, `24h` or `7d` to milliseconds. Returns undefined for other text. */
export function durationMs(given: string): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(digits) * length;
}
