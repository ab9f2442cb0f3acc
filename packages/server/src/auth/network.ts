import ipaddr from 'ipaddr.js';

/** What attempts from one place are counted by: whoever has one IPv6 address has 2^64 of them. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.');
}
