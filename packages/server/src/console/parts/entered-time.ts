import { durationMs } from '../../kernel/duration.ts';

/** How a time is entered in a form. */
export const TIME_HINT = 'For example `2026-01-31 12:00` in UTC, or `2h` for 2 hours ago.';

/**
 * Returns a time that a person entered as ISO 8601. It may be an age such as `2h`, or a date with or without a time of
 * day, which is in UTC like the times that the console shows. Returns any other text unchanged, for the API to check.
 */
export function enteredTime(entered: string, now: number): string {
  const text = entered.trim();
  const age = durationMs(text);
  if (age !== undefined) return new Date(now - age).toISOString();
  const [, date, time = '00:00'] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2})?)(?: UTC)?)?$/.exec(text) ?? [];
  if (date === undefined) return entered;
  return `${date}T${time.padEnd(8, ':00')}Z`;
}
