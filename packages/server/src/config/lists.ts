import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Splits a value at its commas; empty items are left out. */
export function splitList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Shortest prefixes, in bits: those of the private networks 10.0.0.0/8 and fc00::/7. A mapped address has 96 more. */
const SHORTEST = { ipv4: 8, ipv6: 7, mapped: 104 } as const;

export function readTrustedProxies(text: string, problems: string[]): string[] {
  const effect = 'with which each caller chooses its own address; name the ranges of your proxies';
  return readBoundedCidrs('PLAT_TRUSTED_PROXIES', text, effect, problems);
}

export function readAllowedReceivers(text: string, problems: string[]): string[] {
  const effect = 'with which tenants reach every address of your network; name the ranges of your receivers';
  return readBoundedCidrs('PLAT_WEBHOOK_ALLOW', text, effect, problems);
}

/** Refuses a range that is wider than a private network. */
function readBoundedCidrs(name: string, text: string, effect: string, problems: string[]): string[] {
  const cidrs = readCidrs(name, text, problems);
  for (const cidr of cidrs) {
    if (!ipaddr.isValidCIDR(cidr)) continue;
    const [address, bits] = ipaddr.parseCIDR(cidr);
    const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
    const shortest = SHORTEST[isMapped ? 'mapped' : address.kind()];
    if (bits >= shortest) continue;
    problems.push(`${name} holds "${cidr}", ${effect}, with a prefix of at least ${shortest} bits`);
  }
  return cidrs;
}

function readCidrs(name: string, text: string, problems: string[]): string[] {
  const cidrs = splitList(text);
  for (const cidr of cidrs) {
    const [address = ''] = cidr.split('/', 1);
    // ipaddr.js takes short forms too, in which 10/8 is 0.0.0.10/8.
    if (isIP(address) === 0 || !ipaddr.isValidCIDR(cidr))
      problems.push(`${name} holds "${cidr}", which is not a CIDR range such as 10.0.0.0/8`);
  }
  return cidrs;
}

/** Reads `name=number` pairs separated by commas. */
export function readNumbers(
  setting: string,
  text: string,
  names: readonly string[],
  problems: string[],
): Readonly<Record<string, number>> {
  const numbers: Record<string, number> = {};
  for (const part of splitList(text)) {
    const [, name = '', digits = ''] = /^(\w+)\s*=\s*(\d{1,9})$/.exec(part) ?? [];
    if (!names.includes(name)) {
      problems.push(`${setting} holds "${part}"; it takes ${names.map((one) => `${one}=<number>`).join(', ')}`);
      continue;
    }
    numbers[name] = Number(digits);
  }
  return numbers;
}
