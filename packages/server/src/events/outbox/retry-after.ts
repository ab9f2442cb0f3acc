/**
 * Returns the delay that a response's `Retry-After` requests (RFC 9110, 10.2.3: seconds, or a date), in ms, at most a day;
 * 0 without one. Only 429 (RFC 6585, 4) and 503 (RFC 9110, 15.6.4) define it for a repeated request.
 * @param now time of the response, in ms
 */
export function retryAfterMs(
  { status, retryAfter }: { readonly status: number | null; readonly retryAfter: string | null },
  now: number,
): number {
  if (retryAfter === null || (status !== 429 && status !== 503)) return 0;
  const value = retryAfter.trim();
  const wait = /^\d+$/.test(value) ? Number(value) * 1000 : (parseHttpDate(value, now) ?? now) - now;
  return Math.min(Math.max(wait, 0), LONGEST_MS);
}

const LONGEST_MS = 24 * 3_600_000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The three formats that a recipient must accept (RFC 9110, 5.6.7): IMF-fixdate, RFC 850, asctime. */
const FORMS: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** Returns the time in ms; null when the text is not an HTTP date. */
function parseHttpDate(text: string, now: number): number | null {
  for (const form of FORMS) {
    const { day = '', month = '', year = '', time = '' } = form.exec(text)?.groups ?? {};
    const monthIndex = MONTHS.indexOf(month);
    if (monthIndex < 0) continue;
    const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
    const date = Date.UTC(year.length === 2 ? fullYear(Number(year), now) : Number(year), monthIndex, Number(day));
    const isReal = new Date(date).getUTCMonth() === monthIndex && hours < 24 && minutes < 60 && seconds <= 60;
    return isReal ? date + ((hours * 60 + minutes) * 60 + seconds) * 1000 : null;
  }
  return null;
}

/** A two-digit year more than 50 years ahead means the most recent past year with these digits (RFC 9110, 5.6.7). */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
