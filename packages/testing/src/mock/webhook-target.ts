import { type AddressKind, FORBIDDEN_PORTS, GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@plat/contract';

/**
 * Returns the problem with the URL of an endpoint, worded as the platform does; null for a valid URL. Loopback is
 * allowed, also without TLS, as in development mode.
 */
export function targetProblem(text: string): string | null {
  const url = /[\s\\]|\p{Cc}/u.test(text) || !URL.canParse(text) ? null : new URL(text);
  if (url === null || !/^https?:\/\//i.test(text)) return 'must be an absolute https URL';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  if (text.includes('#')) return 'must not have a fragment';
  if (url.port !== '' && FORBIDDEN_PORTS.has(Number(url.port))) return `must not use port ${url.port}`;

  const host = url.hostname.replace(/^\[|\]$/g, '');
  const what = kindOfHost(host);
  if (what === 'loopback') return null;
  if (what !== null) return `must lead to a public address; ${host} is ${what}`;
  return url.protocol === 'https:' ? null : 'must use https';
}

/** Returns the kind of a host that is not on the public internet. URL has normalized the notation of addresses. */
function kindOfHost(host: string): AddressKind | 'a name of an inner network' | null {
  if (host.includes(':')) return kindOfIpv6(ipv6(host));
  if (/^\d+(?:\.\d+){3}$/.test(host)) return kindIn(SPECIAL_IPV4, ipv4(host), ipv4, 32);
  const name = host.replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(name)) return 'loopback';
  const isInner = !name.includes('.') || /\.(?:internal|local|lan|home\.arpa|intranet|corp)$/.test(name);
  return isInner ? 'a name of an inner network' : null;
}

function kindOfIpv6(address: bigint): AddressKind | null {
  // A connection to a mapped address goes to the IPv4 address inside.
  if (address >> 32n === 0xffffn && isIn('127.0.0.0/8', address & 0xffff_ffffn, ipv4, 32)) return 'loopback';
  const kind = kindIn(SPECIAL_IPV6, address, ipv6, 128);
  if (kind !== null) return kind;
  if (!isIn(GLOBAL_IPV6, address, ipv6, 128)) return 'reserved';
  // ISATAP (RFC 5214): these four bytes, of which one bit is free, before the IPv4 address.
  return ((address >> 32n) & 0xfdff_ffffn) === 0x5efen ? 'IPv4 inside IPv6' : null;
}

type Parse = (text: string) => bigint;

function kindIn(table: typeof SPECIAL_IPV4, address: bigint, parse: Parse, bits: number): AddressKind | null {
  return table.find(([cidr]) => isIn(cidr, address, parse, bits))?.[1] ?? null;
}

function isIn(cidr: string, address: bigint, parse: Parse, bits: number): boolean {
  const [network = '', length] = cidr.split('/');
  const rest = BigInt(bits - Number(length));
  return address >> rest === parse(network) >> rest;
}

function ipv4(text: string): bigint {
  return text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
}

/** Parses the notation of URL: hexadecimal groups, where `::` stands for zeros. */
function ipv6(text: string): bigint {
  const [head = [], tail = []] = text.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
