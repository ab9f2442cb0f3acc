/** Schemes with hosts of letters, digits, hyphens, underscores and dots: what cannot end a source or a directive. */
const SOURCE = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/**
 * The origin of an address as a source of a content security policy: its scheme alone for an IPv6 address, which a policy
 * has no form for; null for a host with a character that means something in a policy.
 */
export function policySource(address: string): string | null {
  const { protocol, hostname, origin } = new URL(address);
  if (hostname.startsWith('[')) return protocol;
  return SOURCE.test(origin) ? origin : null;
}
