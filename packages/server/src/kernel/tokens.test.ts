import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesOfToken, hashToken, isWellFormedToken, newToken, tokenOf } from './tokens.ts';

test('a new token is well formed under its own prefix only', () => {
  const token = newToken('plat_test_');
  expect(token).toMatch(/^plat_test_[A-Za-z0-9]{49}$/);
  expect(isWellFormedToken('plat_test_', token)).toBe(true);
  expect(isWellFormedToken('plat_live_', token)).toBe(false);
});

test('a token with one changed character fails its checksum', () => {
  const token = newToken('plat_live_');
  for (let i = 'plat_live_'.length; i < token.length; i++) {
    const other = token[i] === 'x' ? 'y' : 'x';
    expect(isWellFormedToken('plat_live_', token.slice(0, i) + other + token.slice(i + 1))).toBe(false);
  }
});

test.each([
  ['plat_at_', 32, 0, 'plat_at_00000000000000000000000000000000000000000002MLBsX'],
  ['plat_at_', 32, 1, 'plat_at_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd29391Gfm'],
  ['plat_at_', 32, 255, 'plat_at_yhjskwdA6OZ1AL1YmHWZWm8LLG7HjnuCA2j5rOw8Xp10nIqFt'],
  [
    'plat_rt_',
    68,
    255,
    'plat_rt_4UeYj72aimoMT8UN67bBOFERt9PAnjDNxiDhjUA8u0FW8ubbVGlXsIw949l0ltSL343rFYntqa5W1CaBzYruigKKgzwF1kCmpK',
  ],
] as const)('%s of %i bytes %i keeps its text: issued tokens stay valid', (prefix, size, byte, text) => {
  const bytes = Buffer.alloc(size, byte);
  expect(tokenOf(prefix, bytes)).toBe(text);
  expect(bytesOfToken(prefix, text, size)).toEqual(bytes);
});

test('any bytes can be read from their token', () => {
  for (let i = 0; i < 200; i++) {
    const bytes = randomBytes(68);
    expect(bytesOfToken('plat_rt_', tokenOf('plat_rt_', bytes), 68)).toEqual(bytes);
  }
});

test('the hash of a token has 32 bytes, and depends on case', () => {
  expect(hashToken('plat_test_a')).toHaveLength(32);
  expect(hashToken('plat_test_a').equals(hashToken('plat_test_A'))).toBe(false);
});
