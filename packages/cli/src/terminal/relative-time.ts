/** How far a moment is from now, in words: `in 14 min`, `3 h ago`. Both are Unix seconds. */
export function relativeTime(at: number, now: number): string {
  const length = timeLength(Math.abs(at - now));
  return at > now ? `in ${length}` : `${length} ago`;
}

/** A number of seconds in the largest unit that it fills: `31 h`, `2 d`. */
export function timeLength(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;
