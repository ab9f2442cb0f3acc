/** Kinds of addresses that are not ordinary addresses of the public internet. */
export type AddressKind =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'link-local'
  | 'cloud metadata'
  | 'shared (carrier NAT)'
  | 'multicast'
  | 'reserved'
  | 'IPv4 inside IPv6';

/**
 * Special-purpose ranges of IPv4 (RFC 6890 and its registry), and the public-looking address at which Azure serves its
 * metadata. The other clouds use link-local, shared or private addresses.
 */
export const SPECIAL_IPV4: readonly (readonly [cidr: string, kind: AddressKind])[] = [
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared (carrier NAT)'],
  ['127.0.0.0/8', 'loopback'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'reserved'],
  ['198.51.100.0/24', 'reserved'],
  ['203.0.113.0/24', 'reserved'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];

/**
 * Special-purpose ranges of IPv6; the first match counts. An unlisted address outside of {@link GLOBAL_IPV6} is
 * reserved.
 */
export const SPECIAL_IPV6: readonly (readonly [cidr: string, kind: AddressKind])[] = [
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  // Mapped, compatible, translated (RFC 2765), NAT64 (RFC 6052, 8215), Teredo and 6to4 addresses lead to the embedded
  // IPv4 address.
  ['::ffff:0:0/96', 'IPv4 inside IPv6'],
  ['::/96', 'IPv4 inside IPv6'],
  ['::ffff:0:0:0/96', 'IPv4 inside IPv6'],
  ['64:ff9b::/96', 'IPv4 inside IPv6'],
  ['64:ff9b:1::/48', 'IPv4 inside IPv6'],
  ['2001::/32', 'IPv4 inside IPv6'],
  ['2002::/16', 'IPv4 inside IPv6'],
  ['fc00::/7', 'private'],
  ['fec0::/10', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'reserved'],
  ['3ffe::/16', 'reserved'],
  ['3fff::/20', 'reserved'],
];

/** The only block from which global unicast addresses are assigned (RFC 4291, 2.4; IANA). */
export const GLOBAL_IPV6 = '2000::/3';
