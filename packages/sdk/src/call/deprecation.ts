import { HEADERS } from '@plat/contract';
import { redact } from '../redact.ts';
import type { TransportHeaders } from '../transport/transport.ts';

/** What an answer says of the end of its operation, in words; null when it says nothing. */
export function readDeprecation(headers: Pick<TransportHeaders, 'get'>): string | null {
  const since = headers.get(HEADERS.deprecation);
  if (since === null) return null;
  const sunset = headers.get(HEADERS.sunset);
  const end = sunset === null ? 'it may be removed 90 days after the notice' : `it may be gone from ${day(sunset)}`;
  const link = /<([^<>]+)>\s*;\s*rel="?deprecation"?\s*(?:[;,]|$)/i.exec(headers.get(HEADERS.link) ?? '')?.[1];
  return redact(`deprecated as of ${day(since)}; ${end}${link === undefined ? '' : `; see ${link}`}`);
}

/** `@` and Unix seconds (RFC 9745) or an HTTP date, as a day of the calendar in UTC; other text as it is. */
function day(value: string): string {
  const seconds = /^@(-?\d{1,15})$/.exec(value.trim())?.[1];
  const date = new Date(seconds === undefined ? Date.parse(value) : Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? value : date.toISOString().slice(0, 10);
}
