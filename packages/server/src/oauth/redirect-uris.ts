import { LIMITS } from '@plat/contract';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

const SEPARATORS: Readonly<Record<string, string>> = { ';': 'semicolon', ',': 'comma', "'": 'quote', '"': 'quote' };

/** What the service appends to a redirect URI (RFC 6749, 4.1.2; RFC 9207): the app must be able to tell them apart. */
const RESERVED_PARAMETERS: ReadonlySet<string> = new Set([
  'code',
  'state',
  'iss',
  'error',
  'error_description',
  'error_uri',
]);

/** What is wrong with a redirect URI that an app wants to register; null when nothing is. */
export function redirectUriProblem(uri: string): string | null {
  if (uri.length > LIMITS.url.max) return `must have ${LIMITS.url.max} characters at most`;
  if (!/^[\x21-\x7e]+$/.test(uri)) return 'must be visible ASCII characters only';
  if (uri.includes('\\')) return 'must not hold a backslash';
  if (uri.includes('*')) return 'must not hold a wildcard: it is compared byte for byte';
  if (uri.includes('#')) return 'must not have a fragment';
  if (!/^https?:\/\/[^/?]/.test(uri)) return 'must be absolute: https://host/path';
  // Of the text as it stands: a parser would forget an empty user.
  if (/^https?:\/\/[^/?]*@/.test(uri)) return 'must not have user information';
  const parsed = URL.parse(uri);
  if (!parsed || parsed.hostname === '') return 'must be a valid URL';
  // The host and path of the text as it stands: they reach headers and pages, where these characters separate or quote.
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

/** Whether it leads over http to the machine of the browser: for trying an app out, not for one that is verified. */
export function isLoopback(uri: string): boolean {
  return LOOPBACK.test(uri);
}

/** The redirect URI with parameters appended; what was registered stays byte for byte. */
export function withParameters(uri: string, parameters: Readonly<Record<string, string>>): string {
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?';
  // %20 is read as a space by everybody, + by most.
  return uri + joint + new URLSearchParams(parameters).toString().replaceAll('+', '%20');
}
