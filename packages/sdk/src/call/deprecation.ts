import { HEADERS } from '@plat/contract';
import { redact } from '../redact.ts';
import type { TransportHeaders } from '../transport/transport.ts';

/** Returns the deprecation notice of a response as a sentence; null if there is none. */
export function readDeprecation(headers: Pick<TransportHeaders, 'get'>): string | null {
  const since = headers.get(HEADERS.deprecation);
  if (since === null) return null;
  const sunset = headers.get(HEADERS.sunset);
  const end = sunset === null ? 'it may be removed 90 days after the notice' : `it may be gone from ${day(sunset)}`;
  const link = /<([^<>]+)>\s*;\s*rel="?deprecation"?\s*(?:[;,]|$)/i.exec(headers.get(HEADERS.link) ?? '')?.[1];
  return redact(`deprecated as of ${day(since)}; ${end}${link === undefined ? '' : `; see ${link}`}`);
}

/**
 * Converts `@` and Unix seconds (RFC 9745) or an HTTP date to a calendar day in UTC. Other text is returned unchanged.
 */
function day(value: string): string {
  const seconds = /^@(-?\d{1,15})$/.exec(value.trim())?.[1];
  const date = new Date(seconds === undefined ? Date.parse(value) : Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? value : date.toISOString().slice(0, 10);
}
