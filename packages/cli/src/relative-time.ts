/** How far a moment is from now, in words: `in 14 min`, `3 h ago`. Both are Unix seconds. */
export function relativeTime(at: number, now: number): string {
  const distance = Math.abs(at - now);
  const [seconds, unit] = UNITS.find(([size]) => distance >= size) ?? [1, 's'];
  const length = `${Math.floor(distance / seconds)} ${unit}`;
  return at > now ? `in ${length}` : `${length} ago`;
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;
