/** Milliseconds since the epoch, of whoever is asked: the machine, or a test. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;

/** The instant for a change of an object: now, but always after its last change, whatever the clocks of the processes say. */
export function laterThan(last: number, now: number): number {
  return now > last ? now : last + 1;
}

/** Milliseconds → the ISO 8601 text of the API. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
