/** Parses a duration such as `30s`, `10m`, `2h` or `1d` to milliseconds. Returns undefined for invalid text. */
export function durationMs(given: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(count) * length;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
