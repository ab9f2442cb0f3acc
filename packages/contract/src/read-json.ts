import type { FieldError } from './errors.ts';
import { LIMITS } from './limits.ts';

/** A JSON object, or the reason for the refusal of the text. */
export type JsonReading =
  | {
      /** The parsed object. */
      readonly value: object;
      /** Absent, because the text is accepted. */
      readonly problem?: never;
    }
  | {
      /** Absent, because the text is refused. */
      readonly value?: never;
      /** Reason for the refusal, with its position. */
      readonly problem: FieldError;
    };

/**
 * Reads the JSON object of a request body. Before it builds any value, it refuses duplicate members, on which parsers
 * disagree (RFC 8259, section 4), text that cannot be stored (NUL, unpaired surrogates), and text beyond {@link
 * LIMITS.json}. The time is linear in the length of the text.
 */
export function readJsonObject(text: string): JsonReading {
  const { members, problem } = measure(text);
  if (problem !== null) return refused([], problem);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refused([], `must be JSON in UTF-8: ${error instanceof SyntaxError ? error.message : 'malformed'}`);
  }
  if (text.includes('\\')) {
    const { plain, problem } = withoutEscapedNames(text);
    if (problem) return { problem };
    if (plain !== text) value = JSON.parse(plain);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refused([], 'must be a JSON object');
  const tree = inspect(value);
  if (tree.problem) return tree;
  // JSON.parse keeps only one of several members with the same name.
  return tree.members === members ? { value } : refused(pathOfDuplicate(text), DUPLICATE);
}

type Path = readonly (string | number)[];

function refused(path: Path, message: string): { readonly problem: FieldError } {
  return { problem: { path: path.join('.'), message } };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Counts members by their colons, which valid JSON has only there outside strings. Stops at the first limit. */
function measure(text: string): { readonly members: number; readonly problem: string | null } {
  let depth = 0;
  let members = 0;
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(text, at);
        break;
      case COLON:
        if (++members > LIMITS.json.members) return tooMuch(`more than ${LIMITS.json.members} fields`);
        break;
      case OPEN_BRACKET:
      case OPEN_BRACE:
        if (++depth > LIMITS.json.depth) return { members, problem: 'is nested too deeply' };
        // The first value of the object or array; each further value follows a comma.
        values++;
        break;
      case CLOSE_BRACKET:
      case CLOSE_BRACE:
        depth--;
        break;
      case COMMA:
        if (++values > LIMITS.json.values) return tooMuch(`more than ${LIMITS.json.values} values`);
        break;
    }
  }
  return { members, problem: null };

  function tooMuch(what: string) {
    return { members, problem: `must not have ${what}` };
  }
}

/** Returns the number of members of all objects in a value, or the first refused text. */
function inspect(value: unknown): { members: number; problem?: never } | { problem: FieldError } {
  const path: (string | number)[] = [];
  let members = 0;
  const problem = visit(value);
  return problem === null ? { members } : refused(path, problem);

  function visit(part: unknown): string | null {
    if (typeof part === 'string') {
      return part.includes('\0') || UNPAIRED_SURROGATE.test(part) ? UNSTORABLE : null;
    }
    if (typeof part !== 'object' || part === null) return null;
    const isArray = Array.isArray(part);
    for (const [name, item] of Object.entries(part)) {
      if (!isArray) members++;
      path.push(name);
      const found = name === '__proto__' ? UNKNOWN : visit(item);
      if (found !== null) return found;
      path.pop();
    }
    return null;
  }
}

const UNPAIRED_SURROGATE = /\p{Surrogate}/u;
const DUPLICATE = 'is given more than once';
const UNKNOWN = 'is not a known field';
const UNSTORABLE = 'must not contain NUL or unpaired surrogates';

/**
 * Returns valid JSON text with its member names written without escapes. V8 in Node 24 and 26 confuses escaped names
 * with names that it read before (https://github.com/nodejs/node/issues/63785). A name that needs an escape is refused:
 * no field has one.
 */
function withoutEscapedNames(
  text: string,
): { plain: string; problem?: never } | { plain?: never; problem: FieldError } {
  let plain = '';
  let from = 0;
  for (const { name, path, start, end } of memberNames(text)) {
    if (!text.slice(start, end).includes('\\')) continue;
    const unescaped = JSON.stringify(name);
    if (unescaped.includes('\\')) return refused(path, UNKNOWN);
    plain += text.slice(from, start) + unescaped;
    from = end;
  }
  return { plain: plain + text.slice(from) };
}

/** Returns the path of the first duplicate member in valid JSON text. */
function pathOfDuplicate(text: string): Path {
  for (const { path, isDuplicate } of memberNames(text)) if (isDuplicate) return path;
  return [];
}

interface MemberName {
  readonly name: string;
  readonly path: Path;
  /** True if an earlier member of the same object has this name. */
  readonly isDuplicate: boolean;
  /** Index of the opening quote. */
  readonly start: number;
  /** Index after the closing quote. */
  readonly end: number;
}

/** Yields the member names of all objects in valid JSON text, in the order of the text. */
function* memberNames(text: string): Generator<MemberName> {
  const open: { readonly names: Set<string> | null; at: string | number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const inner = open.at(-1);
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const start = at;
        at = endOfString(text, start);
        if (!inner?.names || text.charCodeAt(afterWhiteSpace(text, at + 1)) !== COLON) break;
        const name = String(JSON.parse(text.slice(start, at + 1)));
        inner.at = name;
        const path = open.map((container) => container.at);
        yield { name, path, isDuplicate: inner.names.has(name), start, end: at + 1 };
        inner.names.add(name);
        break;
      }
      case OPEN_BRACE:
        open.push({ names: new Set(), at: '' });
        break;
      case OPEN_BRACKET:
        open.push({ names: null, at: 0 });
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        open.pop();
        break;
      case COMMA:
        if (typeof inner?.at === 'number') inner.at++;
        break;
    }
  }
}

function afterWhiteSpace(text: string, from: number): number {
  let at = from;
  while (/[ \t\n\r]/.test(text.charAt(at))) at++;
  return at;
}

/**
 * Returns the index of the closing quote of the string that starts at `start`, or the length of the text if there is
 * none.
 */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}
