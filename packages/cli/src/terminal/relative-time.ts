/** Returns the distance of a time from now: `in 14 min`, `3 h ago`. Both are Unix seconds. */
export function relativeTime(at: number, now: number): string {
  const length = timeLength(Math.abs(at - now));
  return at > now ? `in ${length}` : `${length} ago`;
}

/** Returns seconds in the largest unit that they fill: `31 h`, `2 d`. */
export function timeLength(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;
