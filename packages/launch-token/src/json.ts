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
  const names = namesIn(bytes);
  if (names.escaped) throw refuse('It has a name in escapes.');
  if (countMembers(value, 1, text.includes('\\u'), refuse) !== names.count) throw refuse('It has a member twice.');
  return value;
}

/**
 * Counts the members of all objects in a value. Refuses too deep nesting and, in text with escapes, unpaired
 * surrogates.
 */
function countMembers(part: object, depth: number, withEscapes: boolean, refuse: (why: string) => Error): number {
  if (depth > MAX_DEPTH) throw refuse('It is nested too deeply.');
  const parts: readonly unknown[] = Array.isArray(part) ? part : Object.values(part);
  let count = Array.isArray(part) ? 0 : parts.length;
  for (const each of parts) {
    if (typeof each === 'object' && each !== null) count += countMembers(each, depth + 1, withEscapes, refuse);
    else if (withEscapes && typeof each === 'string' && UNPAIRED_SURROGATE.test(each)) {
      throw refuse('It has half of a surrogate pair.');
    }
  }
  return count;
}

/** Returns true if a parsed value is an object, not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Counts the member names in the bytes of valid JSON. Outside of strings, a colon stands after each name, and nowhere
 * else. Also returns whether any name has escapes.
 */
function namesIn(json: Uint8Array): { readonly count: number; readonly escaped: boolean } {
  let count = 0;
  let escaped = false;
  /** True if the last string has escapes. */
  let hasEscapes = false;
  for (let at = 0; at < json.length; at += 1) {
    if (json[at] === COLON) {
      count += 1;
      escaped ||= hasEscapes;
    } else if (json[at] === QUOTE) {
      hasEscapes = false;
      for (at += 1; json[at] !== QUOTE; at += 1) {
        if (json[at] !== BACKSLASH) continue;
        hasEscapes = true;
        at += 1;
      }
    }
  }
  return { count, escaped };
}

// No byte of another character of UTF-8 has these values.
const COLON = 0x3a;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
