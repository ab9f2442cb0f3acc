import { expect, test } from 'vitest';
import { decodeBase64url } from './base64url.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

test('bytes of every length and value survive encoding and decoding', () => {
  const all = Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 7) & 0xff));
  for (let length = 0; length < 600; length += 1) {
    const bytes = all.subarray(length % 256, (length % 256) + length);
    expect(Buffer.from(decodeBase64url(bytes.toString('base64url')) ?? 'none')).toEqual(bytes);
  }
});

test('exactly one spelling of one byte and of two bytes is accepted', () => {
  const accepted = (texts: readonly string[]): string[] => texts.filter((text) => decodeBase64url(text) !== undefined);
  const digits = [...ALPHABET];
  const pairs = digits.flatMap((a) => digits.map((b) => a + b));
  expect(accepted(pairs)).toHaveLength(256);
  const triples = ['A', 'g', '_'].flatMap((a) => pairs.map((pair) => a + pair));
  expect(accepted(triples)).toHaveLength(3 * 64 * 16);
  expect(accepted(digits)).toEqual([]);
});

test('any invalid character at any position is refused', () => {
  for (let code = 0; code < 0x300; code += 1) {
    const character = String.fromCharCode(code);
    if (ALPHABET.includes(character)) continue;
    for (let length = 2; length < 12; length += 1) {
      for (let at = 0; at < length; at += 1) {
        const text = `${'A'.repeat(at)}${character}${'A'.repeat(length - at - 1)}`;
        if (decodeBase64url(text) !== undefined) expect.fail(`accepted ${JSON.stringify(text)}`);
      }
    }
  }
  for (const text of ['AA\ud83d\ude80', 'AAA\uffff', '\u{1f680}AA', 'AAAA\u2028AAA'])
    expect(decodeBase64url(text)).toBeUndefined();
});
