import { describe, expect, test } from 'vitest';
import { isCodeChallenge, isCodeVerifier, verifierMatches } from './pkce.ts';

describe('the example of RFC 7636, appendix B', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  test('challenge and verifier are well-formed and match', () => {
    expect(isCodeVerifier(verifier)).toBe(true);
    expect(isCodeChallenge(challenge)).toBe(true);
    expect(verifierMatches(verifier, challenge)).toBe(true);
  });

  test('swapped, truncated or changed values do not match', () => {
    for (const [wrongVerifier, wrongChallenge] of [
      [challenge, verifier],
      [verifier, verifier],
      [verifier.toLowerCase(), challenge],
      [`${verifier}a`, challenge],
      [verifier, `${challenge}=`],
      [verifier, ''],
    ] as const) {
      expect(verifierMatches(wrongVerifier, wrongChallenge)).toBe(false);
    }
  });
});

test.each([
  ['43 characters', 'a'.repeat(43), true],
  ['128 characters', `${'-._~'.repeat(31)}abcd`, true],
  ['42 characters', 'a'.repeat(42), false],
  ['129 characters', 'a'.repeat(129), false],
  ['a space', `${'a'.repeat(43)} `, false],
  ['a line feed at the end', `${'a'.repeat(43)}\n`, false],
  ['a plus, which is not in the alphabet', `${'a'.repeat(43)}+`, false],
  ['a letter of another script', `${'a'.repeat(43)}ä`, false],
])('a code verifier of %s', (_title, text, is) => {
  expect(isCodeVerifier(text)).toBe(is);
});

test.each([
  ['43 characters that end in bits of 0', `${'a'.repeat(42)}A`, true],
  ['43 characters that 32 bytes never make', `${'a'.repeat(42)}B`, false],
  ['42 characters', 'a'.repeat(42), false],
  ['padding', `${'a'.repeat(43)}=`, false],
  ['the other base64 alphabet', `+/${'a'.repeat(40)}A`, false],
])('a code challenge of %s', (_title, text, is) => {
  expect(isCodeChallenge(text)).toBe(is);
});
