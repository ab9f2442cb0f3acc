import { LIMITS } from '@plat/contract';

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

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

/** The origin as a source of a content security policy, which has no form for IPv6 addresses. */
export function policySource(uri: string): string {
  const { protocol, hostname, origin } = new URL(uri);
  return hostname.startsWith('[') ? protocol : origin;
}
