/**
 * How long, in ms, an answer's `Retry-After` (RFC 9110, 10.2.3: seconds, or a date) asks to wait, a day at most; 0 when
 * it asks for nothing. It counts where its meaning is defined for a request that is to be repeated: 429 (RFC 6585, 4)
 * and 503 (RFC 9110, 15.6.4).
 * @param now when the answer came, in ms
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

/** The three forms that a recipient must take (RFC 9110, 5.6.7): IMF-fixdate, that of RFC 850, that of asctime. */
const FORMS: readonly RegExp[] = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** The instant in ms; null when the text is no HTTP-date. */
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

/** Two digits that would be more than 50 years ahead are the most recent past year that ends so. */
function fullYear(twoDigits: number, now: number): number {
  const thisYear = new Date(now).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
