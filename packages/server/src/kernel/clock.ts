/** Returns a time in milliseconds since the epoch: of the machine, or of a test. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/**
 * Returns the time of a change: now, but always later than the object's last change, since the clocks of processes
 * differ.
 */
export function laterThan(last: number, now: number): number {
  return now > last ? now : last + 1;
}

/** One day, in ms. */
export const DAY_MS = 86_400_000;
let knownDay = Number.NaN;
let knownDate = '';

/**
 * Converts milliseconds to the API's ISO 8601 text. A page has about forty timestamps of a few days, so the date part
 * is cached.
 */
export function isoTime(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== knownDay) {
    knownDate = new Date(ms).toISOString().slice(0, 11);
    knownDay = day;
  }
  const rest = ms - day * DAY_MS;
  const seconds = Math.floor(rest / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  return `${knownDate}${two(hours)}:${two(minutes % 60)}:${two(seconds % 60)}.${two(Math.floor((rest % 1000) / 10))}${rest % 10}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
