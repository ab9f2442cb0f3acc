import { unsafeCharacter } from './characters.ts';
import { COUNTRIES } from './countries.ts';
import type { FormatName } from './schemas/json-schema.ts';

/** Text in the form that the service stores, or the reason for its refusal. */
export type Formatted =
  | {
      /** The text in its canonical form. */
      readonly value: string;
    }
  | {
      /** Reason for the refusal, as an error message. */
      readonly message: string;
    };

/** The check of one format. It returns the canonical form of a text, or an error message. */
export interface Format {
  /** True if the error message of the format also covers wrong lengths. */
  readonly includesLength: boolean;
  /** Returns the text in its canonical form, or an error message. */
  read(text: string): Formatted;
}

/** The formats of the schemas, by their `x-format` name. */
export const FORMATS: Readonly<Record<FormatName, Format>> = {
  country: format(readCountry, 'must be an ISO 3166-1 alpha-2 code such as DE', true),
  domain: format(readDomain, 'must be a domain such as shop.example.com'),
  email: format(readEmail, 'must be an e-mail address such as ada@example.com'),
  locale: format(readLocale, 'must be a language tag (BCP 47) such as en or de-CH', true),
  'multi-line': { includesLength: false, read: (text) => readText(text, true) },
  'single-line': { includesLength: false, read: (text) => readText(text, false) },
  'time-zone': format(readTimeZone, 'must be an IANA time zone such as Europe/Berlin'),
  timestamp: format(readTimestamp, 'must be an ISO 8601 time with offset, such as 2026-01-31T12:00:00Z', true),
};

function format(read: (text: string) => string | undefined, message: string, includesLength = false): Format {
  return {
    includesLength,
    read(text) {
      const value = read(text);
      return value === undefined ? { message } : { value };
    },
  };
}

/** Checks that the text has no control, bidirectional or invisible characters. */
function readText(text: string, lines: boolean): Formatted {
  const character = unsafeCharacter(text, { lines });
  return character === null ? { value: text } : { message: `must not contain ${character}` };
}

/** Returns an officially assigned ISO 3166-1 alpha-2 code in upper case. */
function readCountry(text: string): string | undefined {
  // Two ASCII letters are required first, because `ß` and `ﬁ` become two letters in upper case.
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : '';
  return COUNTRIES.has(code) ? code : undefined;
}

/** Returns the first millisecond, since 1970, that is not before an ISO 8601 time, of which `Date.parse` omits the digits after the third. */
export function firstMsFrom(time: string): number {
  return Date.parse(time) + (/\.\d{3}\d*[1-9]/.test(time) ? 1 : 0);
}

/** Checks an ISO 8601 time with its offset. The text is returned unchanged. */
function readTimestamp(text: string): string | undefined {
  const isTimestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isTimestamp && !Number.isNaN(Date.parse(text)) && isCalendarDay(text.slice(0, 10)) ? text : undefined;
}

/** Returns false for a day that its month does not have. `Date` would count it into the next month. */
function isCalendarDay(day: string): boolean {
  return new Date(day).toISOString().startsWith(day);
}

/**
 * Returns a host name of at least two labels in its ASCII form (IDNA).
 * @returns undefined for IP addresses, single labels and text with a scheme, port or path
 */
export function readDomain(text: string): string | undefined {
  // Without this check, the URL parser would cut off a path.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(text)) return undefined;
  const ascii = hostOf(text);
  const isDomain = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(
    ascii,
  );
  return isDomain ? ascii : undefined;
}

function hostOf(text: string): string {
  try {
    return new URL(`ws://${text}`).hostname;
  } catch {
    return '';
  }
}

/** Dot-atoms of RFC 5321 in any script (RFC 6531), without characters that could end a mail header or be invisible. */
const LOCAL_PART = /^[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+(?:\.[^\p{C}\p{Z}\s.()<>[\]:;\\,"]+)*$/u;

/** Checks a mailbox address in any script. The case is kept. Comments, quotes and IP addresses are refused. */
function readEmail(text: string): string | undefined {
  const [local = '', host = '', ...more] = text.split('@');
  const isLocalPart = local.length <= 64 && LOCAL_PART.test(local);
  // Other systems fold U+212A into `k`, so that two mailboxes would look identical.
  const isDistinct = !hasAsciiLookalike(local);
  return more.length === 0 && isLocalPart && isDistinct && readDomain(host) !== undefined ? text : undefined;
}

/**
 * Returns true if Unicode normalization or lower-casing turns a character of the text into ASCII, such as U+212A into
 * `k`.
 */
export function hasAsciiLookalike(text: string): boolean {
  return [...text].some((char) => char > '\x7f' && /[\0-\x7f]/.test(char.normalize('NFC').toLowerCase()));
}

/** Maximum length of a language tag. */
export const LOCALE_MAX = 64;

/** Returns a language tag (BCP 47) in its canonical form. */
function readLocale(text: string): string | undefined {
  if (text.length > LOCALE_MAX) return undefined;
  const canonical = attempt(() => Intl.getCanonicalLocales(text)[0]);
  return canonical !== undefined && canonical.length <= LOCALE_MAX ? canonical : undefined;
}

/** Area and place. Intl also accepts abbreviations and offsets (EST, PST, +01:00), which are not IANA zone names. */
const TIME_ZONE = /^(?:UTC|GMT|[A-Z]+(?:\/[A-Z0-9_+-]+){1,2})$/i;

/** Returns an IANA time zone name in its official case. A link to another zone keeps its own name. */
function readTimeZone(text: string): string | undefined {
  if (!TIME_ZONE.test(text)) return undefined;
  const timeZone = attempt(() => new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone);
  if (timeZone?.toLowerCase() === text.toLowerCase()) return timeZone;
  // Intl resolves a link to its target, so only the given case can show that the name is spelled correctly.
  return timeZone !== undefined && text.split('/').every((part) => /^[A-Z]/.test(part)) ? text : undefined;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
