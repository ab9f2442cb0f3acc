/** Returns true for a string of at least one visible ASCII character: the characters of tokens and of other credentials. */
export function isVisibleAscii(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]+$/.test(value);
}
