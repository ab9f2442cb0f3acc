/** A length of time as it is typed, `30s`, `10m`, `2h`, `1d`, in ms; undefined for what is none. */
export function durationMs(given: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const length = UNITS[unit];
  return length === undefined ? undefined : Number(count) * length;
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
