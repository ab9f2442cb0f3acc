import ipaddr from 'ipaddr.js';
import type { Config } from './config.ts';

/** Returns the address of a server on this host and port. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Returns why a production server must not derive its public address from its host; null: it may. No client can call a
 * wildcard address, and the issuer in OAuth metadata and launch tokens has to be an address that clients use (RFC 8414, 2).
 */
export function publicAddressProblem({
  mode,
  baseUrl,
  host,
}: Pick<Config, 'mode' | 'baseUrl' | 'host'>): string | null {
  if (mode !== 'production' || baseUrl !== null || !isWildcard(host)) return null;
  return `PLAT_BASE_URL is required in production when HOST is ${host}: set it to the address that clients use, such as https://api.example.com`;
}

/**
 * Adds the problem of an address that clients use. Paths are appended to it, so it ends with its path (RFC 8414, 2), and
 * everyone reads it, so it has no password.
 */
export function checkAddress(name: string, text: string | undefined, problems: string[]): void {
  // The schema has refused text that is no URI of http or https.
  if (text === undefined || !/^https?:/.test(text)) return;
  const url = URL.parse(text);
  if (!url) problems.push(`${name} is no valid URL`);
  else if (url.username + url.password !== '') problems.push(`${name} must not contain a user or a password`);
  else if (/[?#]/.test(text)) problems.push(`${name} must not have a query or a fragment`);
}

function isWildcard(host: string): boolean {
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'unspecified';
}
