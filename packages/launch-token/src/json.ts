/** A JSON object that was parsed: its members are whatever was sent. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Nobody's header, claims or key set goes deeper; a walk over it stays clear of the stack's end. */
const MAX_DEPTH = 16;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/**
 * The object that bytes of I-JSON (RFC 7493) stand for: strict UTF-8 without a byte order mark, no member twice in one
 * object, no half of a surrogate pair. Of a repeated member parsers take the first, the last or both, and what one
 * program has checked is then not what the next one reads. For the same reason no name is in escapes, which nobody has a
 * need for here: V8 takes some of them for another name (nodejs/node#63785).
 *
 * @param refuse makes what is thrown; the reason it is given holds nothing of the text
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
    // The parser's own message quotes the text.
    throw refuse('It is not JSON.');
  }
  if (!isJsonObject(value)) throw refuse('It is no object.');
  // Names first: what they were parsed to is then what stands there.
  const names = namesIn(text);
  if (names.escaped) throw refuse('It has a name in escapes.');
  if (countMembers(value, 1, text.includes('\\u'), refuse) !== names.count) throw refuse('It has a member twice.');
  return value;
}

/** Members of all objects in a value; on its way it refuses what is too deep, and half a pair where there are escapes. */
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

/** Whether a parsed value is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How many names of members stand in a text that is JSON, every string with a colon behind it; and if any is in escapes. */
function namesIn(text: string): { readonly count: number; readonly escaped: boolean } {
  let count = 0;
  let escaped = false;
  // The next one from here on: looked for anew only once it is passed, or a long text would be searched for each name.
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

/** Where the string that begins at a quote has its other one. */
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
