import { isIP } from 'node:net';
import { type AddressKind, FORBIDDEN_PORTS, GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@plat/contract';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, prefixLength: number];

/** Decides which addresses deliveries may go to. */
export interface AddressGuard {
  /** Returns the reason to refuse an IP address; null when connections to it are permitted. */
  refusalOf(address: string): AddressKind | 'not an address' | null;
  /** True when the operator has listed the address: only listed ones may be reached without TLS. */
  isListed(address: string): boolean;
  /** True when the operator has listed a network outside of loopback, so that names may resolve to inner addresses. */
  readonly listsNetworks: boolean;
}

/**
 * Creates a guard that permits public addresses and those that the operator lists: a tenant chooses the target, and this
 * server reaches networks that the tenant must not.
 * @param allowedCidrs CIDR ranges, already checked by the configuration.
 */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const isListed = (address: Address): boolean => {
    if (isIn(address, allowed)) return true;
    // The system connects to the IPv4 address inside a mapped address.
    return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && isIn(address.toIPv4Address(), allowed);
  };
  return {
    refusalOf(text) {
      const address = parse(text);
      if (!address) return 'not an address';
      return isListed(address) ? null : kindOf(address);
    },
    isListed(text) {
      const address = parse(text);
      return address !== null && isListed(address);
    },
    listsNetworks: allowed.some(([network]) => kindOf(network) !== 'loopback'),
  };
}

/**
 * Returns the problem of a URL as a target of deliveries, as the end of a sentence that begins with the URL; null when there
 * is none. The addresses of a name are checked again at each connection.
 * @param allowedCidrs the operator's list
 */
export function checkTargetUrl(text: string, allowedCidrs: readonly string[]): string | null {
  const url = /[\s\\]|\p{Cc}/u.test(text) ? null : URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) return 'must be an absolute https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.port !== '' && FORBIDDEN_PORTS.has(Number(url.port))) return `must not use port ${url.port}`;

  const guard = createAddressGuard(allowedCidrs);
  const host = hostOf(url);
  const problem = isIP(host) === 0 ? problemOfName(host, guard) : problemOfAddress(host, guard);
  if (problem !== null) return problem;
  return url.protocol === 'https:' || mayBePlain(host, guard) ? null : 'must use https';
}

/** Returns the host without the brackets of an IPv6 literal. `URL` has normalized the notation. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function problemOfAddress(host: string, guard: AddressGuard): string | null {
  const kind = guard.refusalOf(host);
  return kind === null ? null : `must lead to a public address; ${host} is ${kind}`;
}

function problemOfName(host: string, guard: AddressGuard): string | null {
  const name = host.replace(/\.$/, '').toLowerCase();
  if (isLocalhost(name))
    return guard.isListed('127.0.0.1') ? null : 'must lead to a public address; localhost is loopback';
  const inner = !name.includes('.') || /\.(?:internal|local|lan|home\.arpa|intranet|corp)$/.test(name);
  return inner && !guard.listsNetworks ? `must lead to a public address; ${host} is a name of an inner network` : null;
}

/** Connections without TLS go to listed addresses only. The addresses of a name are checked when connecting. */
function mayBePlain(host: string, guard: AddressGuard): boolean {
  return isIP(host) === 0 ? guard.listsNetworks || isLocalhost(host) : guard.isListed(host);
}

function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(name);
}

/** Parses an address without its zone (`fe80::1%eth0`), which names an interface of this machine. */
function parse(text: string): Address | null {
  const address = text.replace(/%.*$/, '');
  return isIP(address) === 0 ? null : ipaddr.parse(address);
}

const ranges = (table: typeof SPECIAL_IPV4) => table.map(([cidr, kind]) => [ipaddr.parseCIDR(cidr), kind] as const);
const specialIpv4 = ranges(SPECIAL_IPV4);
const specialIpv6 = ranges(SPECIAL_IPV6);
const globalIpv6 = ipaddr.parseCIDR(GLOBAL_IPV6);

function kindOf(address: Address): AddressKind | null {
  const table = address.kind() === 'ipv4' ? specialIpv4 : specialIpv6;
  for (const [range, kind] of table) if (isIn(address, [range])) return kind;
  if (address.kind() === 'ipv4') return null;
  if (!isIn(address, [globalIpv6])) return 'reserved';
  return isIsatap(address) ? 'IPv4 inside IPv6' : null;
}

/** ISATAP (RFC 5214) marks the IPv4 address in the last four bytes of any prefix by the four before them. */
function isIsatap(address: Address): boolean {
  const [first, second, third, fourth] = address.toByteArray().slice(8, 12);
  return (first === 0 || first === 2) && second === 0 && third === 0x5e && fourth === 0xfe;
}

function isIn(address: Address, list: readonly Range[]): boolean {
  return list.some(([network, length]) => {
    if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, length);
    return network instanceof ipaddr.IPv6 && address.match(network, length);
  });
}
