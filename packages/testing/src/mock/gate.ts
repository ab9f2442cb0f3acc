import { HEADERS, LIMITS, type OperationInfo, type Scope } from '@plat/contract';
import { Refusal } from './refusal.ts';

/** Credentials and rate limit of a mock. */
export interface Gate {
  /** Key → its scopes. */
  readonly keys: Map<string, readonly Scope[]>;
  readonly limit: number;
  readonly windows: Map<string, Window>;
}

interface Window {
  used: number;
  /** Unix time in ms. */
  readonly end: number;
}

/** Returns whether a request has a valid key. */
export function isAuthentic({ keys }: Gate, request: Request): boolean {
  return !hasTokenInQuery(request) && keys.has(tokenOf(request) ?? '');
}

/** Returns the bearer token of a request. @throws {@link Refusal} INVALID_TOKEN */
export function authenticate({ keys }: Gate, request: Request): string {
  if (hasTokenInQuery(request)) throw invalidToken('Send the credential in the Authorization header, not in the query');
  const token = tokenOf(request);
  if (token === undefined) {
    const message = 'Send the header Authorization: Bearer <API key>';
    throw new Refusal('INVALID_TOKEN', message, { headers: { 'WWW-Authenticate': 'Bearer realm="plat"' } });
  }
  if (keys.has(token)) return token;
  throw invalidToken('The credential is not valid');
}

function invalidToken(message: string): Refusal {
  return new Refusal('INVALID_TOKEN', message, {
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  });
}

/** Counts a request of a key. Returns the rate limit headers, and the refusal if the key is over its limit. */
export function count({ limit, windows }: Gate, key: string, now: number) {
  let window = windows.get(key);
  if (!window || window.end <= now) {
    window = { used: 0, end: now + LIMITS.rate.windowSeconds * 1000 };
    windows.set(key, window);
  }
  window.used += 1;
  const headers = {
    [HEADERS.rateLimit]: String(limit),
    [HEADERS.rateRemaining]: String(Math.max(0, limit - window.used)),
    [HEADERS.rateReset]: String(Math.ceil(window.end / 1000)),
  };
  const wait = String(Math.max(1, Math.ceil((window.end - now) / 1000)));
  const refusal = new Refusal('RATE_LIMITED', undefined, { headers: { 'Retry-After': wait } });
  return { headers, refusal: window.used > limit ? refusal : null };
}

/** @throws {@link Refusal} INSUFFICIENT_SCOPE */
export function requireScope({ keys }: Gate, key: string, { scope }: OperationInfo): void {
  if (scope === null || keys.get(key)?.includes(scope)) return;
  throw new Refusal('INSUFFICIENT_SCOPE', `The credential lacks the scope ${scope}`, {
    headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });
}

function hasTokenInQuery({ url }: Request): boolean {
  return new URL(url).searchParams.has('access_token');
}

function tokenOf(request: Request): string | undefined {
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
}
