import { maskSecrets } from '@plat/contract';

/**
 * Characters that do something to a terminal instead of showing something: C0 and C1 controls (ESC and the one-byte
 * CSI among them), line separators, and the marks that turn the direction of text around.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Lone surrogates, which no encoding of the terminal has. */
const LONE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Text from outside, made safe to show on one line of a terminal. */
export function printable(text: string): string {
  return text.replace(ACTIVE, (character) => SHORT[character] ?? escaped(character)).replace(LONE, escaped);
}

/**
 * JSON in which such characters are written as escapes. The value is the same to every parser; a terminal that shows
 * it does nothing.
 */
export function printableJson(json: string): string {
  return json.replace(ACTIVE, (character) => (character === '\n' ? character : escaped(character)));
}

/** Text for stderr: without control characters and without secrets. */
export function safeMessage(text: string): string {
  return printable(maskSecrets(text));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
