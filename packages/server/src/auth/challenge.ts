/** Protection space of every challenge. */
export const REALM = 'plat';

/**
 * Returns the challenge header of a refusal on /v1, which names the fault of the credential (RFC 6750, section 3).
 * @param error null for a request without a bearer credential, whose challenge names no error (section 3.1)
 */
export function challenge(
  error: 'invalid_token' | 'insufficient_scope' | null,
  details: { readonly error_description?: string; readonly scope?: string } = {},
): { readonly 'WWW-Authenticate': string } {
  const parts = Object.entries({ realm: REALM, ...(error !== null && { error }), ...details }).map(
    ([name, value]) => `${name}="${value}"`,
  );
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}
