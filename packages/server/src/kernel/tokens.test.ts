import { expect, test } from 'vitest';
import { hashToken, isWellFormedToken, newToken } from './tokens.ts';

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

test('the hash of a token has 32 bytes, and depends on case', () => {
  expect(hashToken('plat_test_a')).toHaveLength(32);
  expect(hashToken('plat_test_a').equals(hashToken('plat_test_A'))).toBe(false);
});
