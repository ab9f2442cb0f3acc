import { LIMITS } from '@plat/contract';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolon', ',': 'comma', "'": 'quote', '"': 'quote' };

/**
 * Parameters that the service appends to a redirect URI (RFC 6749, 4.1.2; RFC 9207). The app must be able to
 * distinguish them from its own.
 */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
]);

/** Returns the fault of a redirect URI that an app requests; null if it is valid. */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > LIMITS.url.max) return `must have ${LIMITS.url.max} characters at most`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must be visible ASCII characters only';
  if (uri.includes('\\')) return 'must not contain a backslash';
  if (uri.includes('*')) return 'must not contain a wildcard: it is compared byte for byte';
  if (uri.includes('#')) return 'must not have a fragment';
  if (!/^https?:\/\/[^/?]/.test(uri)) return 'must be absolute: https://host/path';
  // Tests the unparsed text: a parser would drop an empty user.
  if (/^https?:\/\/[^/?]*@/.test(uri)) return 'must not have user information';
  const parsed = URL.parse(uri);
  if (!parsed || parsed.hostname === '') return 'must be a valid URL';
  // Host and path of the unparsed text: they reach headers and pages, where these characters separate or quote.
  const [, host = '', path = ''] = /^https?:\/\/([^/?]*)([^?]*)/.exec(uri) ?? [];
  if (!/^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d*)?$/.test(host)) {
    return 'must have a host of letters, digits, hyphens, underscores and dots';
  }
  const separator = Object.entries(SEPARATORS).find(([character]) => path.includes(character));
  if (separator) return `must not have a ${separator[1]} in its path`;
  const reserved = [...parsed.searchParams.keys()].find((name) => RESERVED_PARAMETERS.has(name));
  if (reserved !== undefined) return `must not have the query parameter ${reserved}, which the answer carries`;
  if (parsed.protocol === 'http:' && !isLoopback(uri)) {
    return 'must be https, or http to localhost, 127.0.0.1 or [::1]';
  }
  return null;
}

/**
 * Returns true for http to the machine of the browser. It is allowed for an app in development, not for a verified one.
 */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** Appends parameters to a redirect URI. The registered part stays unchanged byte for byte. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  // Every parser reads %20 as a space; only most read + as one.
  return uri + joint + new URLSearchParams(parameters).toString().replaceAll('+', '%20');
}
