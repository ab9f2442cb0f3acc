import { HEADERS, LIMITS, OAUTH_PATHS, type OperationInfo, type Scope } from '@plat/contract';
import { Refusal } from './refusal.ts';

/** Who calls: an API key or an OAuth access token. */
export interface Credential {
  readonly type: 'api_key' | 'oauth_token';
  /** Id of the key or of the grant. */
  readonly id: string;
  /** The API key, or the grant's id: what the rate limit and idempotency keys belong to. */
  readonly owner: string;
  /** Id of the OAuth app; null for an API key. */
  readonly appId: string | null;
  readonly scopes: readonly Scope[];
}

/** Credentials and rate limit of a mock. */
export interface Gate {
  /** Returns the credential of a bearer token. */
  readonly find: (token: string) => Credential | undefined;
  readonly limit: number;
  /** Base URL of the mock, for challenges. */
  readonly baseUrl: string;
  readonly windows: Windows;
}

/** Counted requests by their owner. */
export type Windows = Map<string, Window>;

interface Window {
  used: number;
  /** Unix time in ms. */
  readonly end: number;
}

/** Returns the credential of a request; undefined if it has no valid one. */
export function credentialOf({ find }: Gate, request: Request): Credential | undefined {
  return hasTokenInQuery(request) ? undefined : find(tokenOf(request) ?? '');
}

/** Returns the credential of a request. @throws {@link Refusal} INVALID_TOKEN */
export function authenticate({ find, baseUrl }: Gate, request: Request): Credential {
  if (hasTokenInQuery(request))
    throw invalidToken(baseUrl, 'Send the credential in the Authorization header, not in the query');
  const token = tokenOf(request);
  if (token === undefined) {
    const message = 'Send the header Authorization: Bearer <API key or access token>';
    throw new Refusal('INVALID_TOKEN', message, { headers: challenge(baseUrl) });
  }
  const credential = find(token);
  if (credential) return credential;
  throw invalidToken(baseUrl, 'The credential is not valid');
}

function invalidToken(baseUrl: string, message: string): Refusal {
  const headers = challenge(baseUrl, ` error="invalid_token", error_description="${message}",`);
  return new Refusal('INVALID_TOKEN', message, { headers });
}

/** Returns the challenge of a refusal (RFC 6750, section 3; RFC 9728, section 5.1). */
function challenge(baseUrl: string, parameters = ''): Readonly<Record<string, string>> {
  const metadata = baseUrl + OAUTH_PATHS.resourceMetadata;
  return { 'WWW-Authenticate': `Bearer realm="plat",${parameters} resource_metadata="${metadata}"` };
}

/** Counts a request. Returns the rate limit headers, and the refusal if its owner is over the limit. */
export function count(
  {
    limit,
    windows,
    seconds = LIMITS.rate.windowSeconds,
  }: Pick<Gate, 'limit' | 'windows'> & { readonly seconds?: number },
  { owner }: Pick<Credential, 'owner'>,
  now: number,
  messageOf?: (waitSeconds: string) => string,
) {
  let window = windows.get(owner);
  if (!window || window.end <= now) {
    window = { used: 0, end: now + seconds * 1000 };
    windows.set(owner, window);
  }
  window.used += 1;
  const headers = {
    [HEADERS.rateLimit]: String(limit),
    [HEADERS.rateRemaining]: String(Math.max(0, limit - window.used)),
    [HEADERS.rateReset]: String(Math.ceil(window.end / 1000)),
  };
  if (window.used <= limit) return { headers, refusal: null };
  const wait = String(Math.max(1, Math.ceil((window.end - now) / 1000)));
  const refusal = new Refusal('RATE_LIMITED', messageOf?.(wait), { headers: { ...headers, 'Retry-After': wait } });
  return { headers, refusal };
}

/** @throws {@link Refusal} INSUFFICIENT_SCOPE */
export function requireScope({ baseUrl }: Gate, { scopes }: Credential, { scope }: OperationInfo): void {
  if (scope === null || scopes.includes(scope)) return;
  throw lacksScope(baseUrl, scope);
}

/** Returns the refusal of a credential without a scope. */
export function lacksScope(baseUrl: string, scope: Scope): Refusal {
  return new Refusal('INSUFFICIENT_SCOPE', `The credential lacks the scope ${scope}`, {
    headers: challenge(baseUrl, ` error="insufficient_scope", scope="${scope}",`),
  });
}

function hasTokenInQuery({ url }: Request): boolean {
  return new URL(url).searchParams.has('access_token');
}

function tokenOf(request: Request): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
