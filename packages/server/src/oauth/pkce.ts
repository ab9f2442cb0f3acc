import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Returns true if the text is an S256 code challenge: the base64url of 32 bytes, without padding (RFC 7636, section
 * 4.2).
 */
export function isCodeChallenge(text: string): boolean {
  // 32 bytes leave two bits of the last character unused; they are 0.
  return /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text);
}

/** Returns true if the text has the form of a code verifier (RFC 7636, section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(text);
}

export function verifierMatches(verifier: string, challenge: string): boolean {
  const made = createHash('sha256').update(verifier).digest('base64url');
  const [a, b] = [Buffer.from(made), Buffer.from(challenge)];
  return a.length === b.length && timingSafeEqual(a, b);
}
