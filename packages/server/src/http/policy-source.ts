/**
 * Schemes with hosts of letters, digits, hyphens, underscores and dots: no character that ends a source or a directive.
 */
const SOURCE = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/**
 * Returns the origin of an address as a source of a content security policy. An IPv6 address, for which a policy has no
 * form, gives its scheme alone. A host with a character that has a meaning in a policy gives null.
 */
export function policySource(address: string): string | null {
  const { protocol, hostname, origin } = new URL(address);
  if (hostname.startsWith('[')) return protocol;
  return SOURCE.test(origin) ? origin : null;
}
