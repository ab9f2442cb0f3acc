import { WebhookVerificationError } from './errors.ts';
import { hintForMissingDigest, hintForShape, hintForTimestampText } from './header-hints.ts';

/** The parts of a well-formed signature header. */
export interface SignatureHeader {
  /** The text of `t` as received. It was hashed, so it must never be formatted again from the number. */
  readonly t: string;
  /** `t` as Unix seconds. */
  readonly timestamp: number;
  /** Every well-formed `v1` in lower case; at least one. */
  readonly digests: readonly string[];
}

/** Maximum length of a signature header in characters. */
export const MAX_HEADER_LENGTH = 4096;

/**
 * Parses `t=<unix-seconds>,v1=<hex>[,v1=<hex>…]`. Spaces around commas and upper-case hex are accepted. Other schemes
 * and malformed `v1` are ignored.
 * @throws {WebhookVerificationError} `SIGNATURE_MISSING`, `SIGNATURE_TOO_LONG`, `SIGNATURE_REPEATED`,
 *   `SIGNATURE_MALFORMED`, `TIMESTAMP_INVALID`
 */
export function readSignatureHeader(header: string): SignatureHeader {
  if (header.length > MAX_HEADER_LENGTH) {
    throw new WebhookVerificationError('SIGNATURE_TOO_LONG', 'The platform sends about 80 characters a secret.');
  }
  let t: string | undefined;
  const digests: string[] = [];
  for (let start = 0; start <= header.length; ) {
    let end = header.indexOf(',', start);
    if (end < 0) end = header.length;
    const from = skipSpace(header, start, end);
    const to = skipSpaceBack(header, from, end);
    if (header.startsWith('v1=', from)) {
      if (to - from === 67) pushDigest(digests, header.slice(from + 3, to));
    } else if (header.startsWith('t=', from)) {
      if (t !== undefined) throw repeated();
      t = header.slice(from + 2, to);
    }
    start = end + 1;
  }
  if (t === undefined) throw shapeError(header);
  const timestamp = canonicalSeconds(t);
  if (timestamp === undefined) throw new WebhookVerificationError('TIMESTAMP_INVALID', hintForTimestampText(t));
  if (digests.length === 0) throw new WebhookVerificationError('SIGNATURE_MALFORMED', hintForMissingDigest(header));
  return { t, timestamp, digests };
}

function shapeError(header: string): WebhookVerificationError {
  if (header.trim() === '') {
    return new WebhookVerificationError('SIGNATURE_MISSING', 'The header is there, but it is empty.');
  }
  return new WebhookVerificationError('SIGNATURE_MALFORMED', hintForShape(header));
}

function repeated(): WebhookVerificationError {
  return new WebhookVerificationError(
    'SIGNATURE_REPEATED',
    'The platform sends one header with one t; a proxy that repeats or joins headers is the usual cause.',
  );
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function skipSpace(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function skipSpaceBack(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Adds a digest of 64 hex digits in lower case; anything else is ignored. */
function pushDigest(digests: string[], hex: string): void {
  let upper = false;
  for (let at = 0; at < 64; at += 1) {
    const code = hex.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) continue;
    if (code >= 0x61 && code <= 0x66) continue;
    if (code < 0x41 || code > 0x46) return;
    upper = true;
  }
  digests.push(upper ? hex.toLowerCase() : hex);
}

/** Returns the number of a canonical decimal (no sign, leading zero, fraction, exponent or space), else undefined. */
function canonicalSeconds(t: string): number | undefined {
  if (t === '' || (t.length > 1 && t.charCodeAt(0) === 0x30)) return undefined;
  let value = 0;
  for (let at = 0; at < t.length; at += 1) {
    const digit = t.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    // Beyond 2^53 this is inexact, but such a time is far in the future and refused anyway.
    value = value * 10 + digit;
  }
  return value;
}
