/** The protection space of every challenge. */
export const REALM = 'plat';

/** The header of a refusal on /v1 that says what is wrong with the credential (RFC 6750, section 3). */
export function challenge(
  error: 'invalid_token' | 'insufficient_scope',
  details: { readonly error_description?: string; readonly scope?: string } = {},
): { readonly 'WWW-Authenticate': string } {
  const parts = Object.entries({ realm: REALM, error, ...details }).map(([name, value]) => `${name}="${value}"`);
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` };
}
