/**
 * Decodes unpadded base64url (RFC 7515, section 2). Returns undefined unless the text is the canonical spelling: no
 * other alphabet, no padding, no white space, no non-zero spare bits. Platform decoders accept these, and one token
 * would then have several spellings.
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  const { length } = text;
  const tail = length % 4;
  if (tail === 1) return undefined;
  const bytes = new Uint8Array((length * 3) >> 2);
  const whole = length - tail;
  let to = 0;
  // Values of invalid characters have bits above the 24 of a group, so one check at the end finds any of them.
  let seen = 0;
  for (let at = 0; at < whole; at += 4) {
    const group =
      (digit(text, at) << 18) | (digit(text, at + 1) << 12) | (digit(text, at + 2) << 6) | digit(text, at + 3);
    seen |= group;
    bytes[to++] = group >> 16;
    bytes[to++] = group >> 8;
    bytes[to++] = group;
  }
  if (tail === 2) {
    const group = (digit(text, whole) << 6) | digit(text, whole + 1);
    seen |= group | ((group & 0xf) << 28);
    bytes[to] = group >> 4;
  } else if (tail === 3) {
    const group = (digit(text, whole) << 12) | (digit(text, whole + 1) << 6) | digit(text, whole + 2);
    seen |= group | ((group & 0x3) << 28);
    bytes[to++] = group >> 10;
    bytes[to] = group >> 2;
  }
  return (seen & ~0xffffff) === 0 ? bytes : undefined;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** 0 to 63 for a digit. Every other value is negative, and stays negative under every shift above. */
const VALUES = new Int32Array(128).fill(-1);
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value;

function digit(text: string, at: number): number {
  return VALUES[text.charCodeAt(at)] ?? -1;
}
