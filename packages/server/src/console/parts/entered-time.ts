import { durationMs } from '../../kernel/duration.ts';

/** How a time is entered in a form. */
export const TIME_HINT = 'For example `2026-01-31 12:00` in UTC, `2026-01-31 12:00 +02:00`, or `2h` for 2 hours ago.';

/** Date, time of day, and the offset in hours and minutes. */
const ENTERED = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(?: ?(?:UTC|Z|([+-]\d{2}):?(\d{2})?))?)?$/;

/**
 * Returns a time that a person entered as ISO 8601. It may be an age such as `2h`, or a date with or without a time of
 * day. Without an offset it is in UTC: without script, the server has no other zone. Returns any other text unchanged, for
 * the API to check.
 */
export function enteredTime(entered: string, now: number): string {
  const text = entered.trim();
  const age = durationMs(text);
  if (age !== undefined) return new Date(now - age).toISOString();
  const [, date, time = '00:00', seconds = ':00', hours, minutes = '00'] = ENTERED.exec(text) ?? [];
  if (date === undefined) return entered;
  return `${date}T${time}${seconds}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
}
