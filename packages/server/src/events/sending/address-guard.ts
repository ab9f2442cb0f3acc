import { isIP } from 'node:net';
import { type AddressKind, FORBIDDEN_PORTS, GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@plat/contract';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, prefixLength: number];

/** Decides which addresses deliveries may go to. */
export interface AddressGuard {
  /** Why an IP address is refused; null when it may be connected to. */
  refusalOf(address: string): AddressKind | 'not an address' | null;
  /** Whether the operator has listed the address: only such a one may be reached without TLS. */
  isListed(address: string): boolean;
  /** Whether the operator has listed anything outside of loopback, so that names may lead to inner addresses. */
  readonly listsNetworks: boolean;
}

/**
 * Only addresses on the public internet may be reached, for a tenant chooses the target and this server may see
 * what the tenant may not; and what the operator lists.
 * @param allowedCidrs CIDR ranges, already checked by the configuration.
 */
export function createAddressGuard(allowedCidrs: readonly string[]): AddressGuard {
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  const isListed = (address: Address): boolean => {
    if (isIn(address, allowed)) return true;
    // A mapped address is connected to as the IPv4 address inside.
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
 * What is wrong with a URL as the target of deliveries, as the end of a sentence that begins with it; null when
 * nothing is. A name is judged again by its addresses at each connection.
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

/** The host as it is connected to: without the brackets of an IPv6 literal. URL has made one notation of the many. */
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

/** Connections without TLS go to listed addresses only; what a name leads to is seen when it is connected to. */
function mayBePlain(host: string, guard: AddressGuard): boolean {
  return isIP(host) === 0 ? guard.listsNetworks || isLocalhost(host) : guard.isListed(host);
}

function isLocalhost(name: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(name);
}

/** A zone (`fe80::1%eth0`) names an interface of this machine, not another address. */
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
