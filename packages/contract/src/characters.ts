/*
 * Characters that change how the surrounding text is displayed, or that are invisible. They let a name imitate another
 * one, and can control a terminal. Input with such a character is refused. Output shows it as an escape, because data
 * that was stored earlier may contain some.
 */

/** C0 and C1 controls (ESC and the one-byte CSI among them). */
const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';
const LINE_SEPARATORS = '\\u2028\\u2029';
/** Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX 9). */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
/** Joiners and variation selectors: allowed only after the characters that they belong to, see below. */
const IN_SEQUENCES = '\\u200c\\u200d\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}';
/**
 * Characters that Unicode defines as not displayed (soft hyphen, zero-width space, fillers, …), and interlinear marks.
 */
const INVISIBLE = `(?![${IN_SEQUENCES}])\\p{Default_Ignorable_Code_Point}|[\\ufff9-\\ufffb]`;
const TAGS = '\\u{e0000}-\\u{e007f}';

/** Scripts that are written with zero-width joiners and non-joiners. */
const JOINING_SCRIPTS = [
  ...['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil'],
  ...['Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Thai', 'Lao'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** A joiner (U+200C, U+200D) that neither follows a character of such a script nor stands between two emoji. */
const STRAY_JOINER =
  `(?<![${JOINING_SCRIPTS}])\\u200c` +
  `|(?<![${JOINING_SCRIPTS}])(?<![\\p{ExtPict}\\p{EMod}\\ufe0f](?=\\u200d\\p{ExtPict}))\\u200d`;
/**
 * A variation selector after a character without variants, such as a Latin letter. A digit has a variant in a keycap
 * only.
 */
const STRAY_SELECTOR =
  '(?<![\\p{scx=Han}\\p{scx=Myanmar}\\p{scx=Phags_Pa}]|(?![\\u0000-\\u007f])[\\p{S}\\p{Emoji}]' +
  '|[0-9#*](?=\\ufe0f\\u20e3))[\\ufe00-\\ufe0f]' +
  '|(?<!\\p{scx=Han})[\\u{e0100}-\\u{e01ef}]|(?<!\\p{scx=Mongolian})[\\u180b-\\u180d\\u180f]';
/** Half of a surrogate pair, which no terminal encoding can represent. */
const LONE_SURROGATE = '\\p{Cs}';

const ACTIVE = `[${LINE_SEPARATORS}${BIDI}${TAGS}]|${INVISIBLE}|${STRAY_JOINER}|${STRAY_SELECTOR}`;
const inLine = onDemand(`[${CONTROL}]|${ACTIVE}|${LONE_SURROGATE}`);
const inText = onDemand(`(?![\\t\\n\\r])[${CONTROL}]|${ACTIVE}|${LONE_SURROGATE}`);
const inJson = onDemand(`(?!\\n)[${CONTROL}]|${ACTIVE}`);

/** Makes a pattern when it is first needed: the scripts of one cost each start of a program 3 ms. */
function onDemand(source: string): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= new RegExp(source, 'gu');
    return made;
  };
}

/** Printable ASCII: most texts need no further check. */
const PLAIN = /^[\x20-\x7e]*$/;
/** The same in several lines. */
const PLAIN_LINES = /^[\n\x20-\x7e]*$/;

const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a control character', new RegExp(`[${CONTROL}]`, 'u')],
  ['a line separator', new RegExp(`[${LINE_SEPARATORS}]`, 'u')],
  ['a bidirectional control', new RegExp(`[${BIDI}]`, 'u')],
  ['a tag character', new RegExp(`[${TAGS}]`, 'u')],
  ['an unpaired surrogate', new RegExp(LONE_SURROGATE, 'u')],
];

/**
 * Names the first unsafe character of a text for an error message: `U+202E, a bidirectional control`. Returns null if
 * there is none.
 * @param lines true if line breaks and tabs are allowed: in multi-line texts, but not in names
 */
export function unsafeCharacter(text: string, { lines = false }: { readonly lines?: boolean } = {}): string | null {
  if ((lines ? PLAIN_LINES : PLAIN).test(text)) return null;
  const [found] = text.match(lines ? inText() : inLine()) ?? [];
  if (found === undefined) return null;
  const kind = KINDS.find(([, pattern]) => pattern.test(found))?.[0] ?? 'an invisible character';
  return `${codePoint(found)}, ${kind}`;
}

/** Escapes untrusted text so that it is safe on one line of a terminal. */
export function printable(text: string): string {
  return PLAIN.test(text) ? text : text.replace(inLine(), (character) => SHORT[character] ?? escaped(character));
}

/** Escapes untrusted text for a page, an e-mail or several lines of a terminal. Line breaks and tabs are kept. */
export function printableText(text: string): string {
  return PLAIN_LINES.test(text) ? text : text.replace(inText(), escaped);
}

/**
 * Escapes unsafe characters in JSON text. Every parser reads the same value; a terminal that displays it is not
 * controlled by it.
 */
export function printableJson(json: string): string {
  return PLAIN_LINES.test(json) ? json : json.replace(inJson(), escaped);
}

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Writes JSON escapes, one for each UTF-16 unit. */
function escaped(character: string): string {
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
