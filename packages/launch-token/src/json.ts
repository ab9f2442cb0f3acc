/** A parsed JSON object. Its members are not checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Maximum nesting depth. No valid header, claims or key set is deeper, and a walk over it cannot exhaust the stack. */
const MAX_DEPTH = 16;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/**
 * Parses an I-JSON object (RFC 7493): strict UTF-8 without a byte order mark, no duplicate member, no unpaired
 * surrogate. Of a duplicate member, parsers use the first, the last or both, so that a checked value may differ from
 * the value that is used. For the same reason no name may contain escapes: V8 takes some of them for another name
 * (nodejs/node#63785).
 * @param refuse creates the error to throw; its reason contains nothing of the text
 */
export function parseJsonObject(bytes: Uint8Array, refuse: (why: string) => Error): JsonObject {
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw refuse('It is not strict UTF-8.');
  }
  try {
    value = JSON.parse(text);
  } catch {
    // The message of the parser quotes the text.
    throw refuse('It is not JSON.');
  }
  if (!isJsonObject(value)) throw refuse('It is no object.');
  // Names are checked first, so that the parsed names are the written ones.
  const names = namesIn(text);
  if (names.escaped) throw refuse('It has a name in escapes.');
  if (countMembers(value, 1, text.includes('\\u'), refuse) !== names.count) throw refuse('It has a member twice.');
  return value;
}

/**
 * Counts the members of all objects in a value. Refuses too deep nesting and, in text with escapes, unpaired
 * surrogates.
 */
function countMembers(part: unknown, depth: number, withEscapes: boolean, refuse: (why: string) => Error): number {
  if (typeof part === 'string' && withEscapes && UNPAIRED_SURROGATE.test(part)) {
    throw refuse('It has half of a surrogate pair.');
  }
  if (typeof part !== 'object' || part === null) return 0;
  if (depth > MAX_DEPTH) throw refuse('It is nested too deeply.');
  const parts = Object.values(part);
  let count = Array.isArray(part) ? 0 : parts.length;
  for (const each of parts) count += countMembers(each, depth + 1, withEscapes, refuse);
  return count;
}

/** Returns true if a parsed value is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Counts the member names in valid JSON, which are the strings before a colon. Also returns whether any name has
 * escapes.
 */
function namesIn(text: string): { readonly count: number; readonly escaped: boolean } {
  let count = 0;
  let escaped = false;
  // Position of the next backslash. It is searched again only after it was passed, so that long texts are searched
  // once.
  let backslash = -1;
  let start = text.indexOf('"');
  while (start >= 0) {
    const end = endOfString(text, start);
    if (text.charCodeAt(afterWhiteSpace(text, end + 1)) === COLON) {
      count += 1;
      if (backslash < start) backslash = nextBackslash(text, start);
      escaped ||= backslash < end;
    }
    start = text.indexOf('"', end + 1);
  }
  return { count, escaped };
}

const COLON = 0x3a;
const BACKSLASH = 0x5c;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function nextBackslash(text: string, from: number): number {
  const at = text.indexOf('\\', from);
  return at < 0 ? text.length : at;
}

function afterWhiteSpace(text: string, from: number): number {
  let at = from;
  while (WHITE_SPACE.has(text.charCodeAt(at))) at += 1;
  return at;
}

/** Returns the position of the quote that ends the string starting at a quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
  return backslashes % 2 === 1;
}
