import { isVisibleAscii } from '../checks/visible-ascii.ts';
import { InvalidArgumentError } from '../errors/usage-errors.ts';
import { redact } from '../redact.ts';
import type { PendingAuthorization } from './authorization.ts';
import { AuthorizationError, CallbackError } from './oauth-errors.ts';
import { sameText } from './pkce.ts';

/**
 * Query of a call of the redirect URI: its URL (whole, or path and query like `request.url`), its query as
 * `URLSearchParams`, or its parameters as an object (`request.query`).
 */
export type Callback = string | URL | URLSearchParams | Readonly<Record<string, unknown>>;

/**
 * Returns the started authorization of a session.
 * @throws {@link CallbackError} `STATE_MISMATCH` if the session has none
 */
export function checkPending(pending: PendingAuthorization | null | undefined): PendingAuthorization {
  if (isPending(pending)) return pending;
  // The usual case is a session without an authorization: an old tab, another browser, or a cookie lost on the way
  // back.
  throw new CallbackError('STATE_MISMATCH', 'The session has no started authorization: begin with authorizationUrl');
}

/**
 * Returns the code of a callback that belongs to `pending`. It checks the state first, then the issuer (RFC 9207), then
 * whether the authorization was refused.
 * @throws {@link CallbackError} if the callback does not belong to `pending`
 * @throws {@link AuthorizationError} if the authorization was refused
 */
export function readCallback(callback: Callback, pending: PendingAuthorization, issuer: string): string {
  const read = parametersOf(callback, pending.redirectUri);
  const state = read('state');
  if (state === null || !sameText(state, pending.state)) {
    throw new CallbackError('STATE_MISMATCH', 'The state of the callback differs from the state of the session');
  }
  const iss = read('iss');
  if (iss === null || !sameText(iss, issuer)) {
    const from = iss === null ? 'no issuer' : 'another issuer';
    throw new CallbackError('ISSUER_MISMATCH', `The callback names ${from}; ${issuer} is expected (option issuer)`);
  }
  const error = read('error');
  if (error !== null)
    throw new AuthorizationError(printable(error, 60) ?? 'error', printable(read('error_description')));
  const code = read('code');
  if (!isVisibleAscii(code)) {
    throw new CallbackError('INVALID_CALLBACK', 'The callback has neither a code nor an error');
  }
  return code;
}

type Read = (name: string) => string | null;

function parametersOf(callback: Callback, redirectUri: string): Read {
  if (typeof callback === 'string') {
    if (!URL.canParse(callback, redirectUri)) throw new CallbackError('INVALID_CALLBACK', 'The callback is not a URL');
    return ofQuery(new URL(callback, redirectUri).searchParams);
  }
  if (callback instanceof URL) return ofQuery(callback.searchParams);
  if (callback instanceof URLSearchParams) return ofQuery(callback);
  if (typeof callback !== 'object' || callback === null) {
    throw new InvalidArgumentError('callback', 'must be a URL, its query, or an object with its parameters');
  }
  return (name) => {
    const value = callback[name];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw twice(name);
    return value;
  };
}

function ofQuery(query: URLSearchParams): Read {
  return (name) => {
    const values = query.getAll(name);
    if (values.length > 1) throw twice(name);
    return values[0] ?? null;
  };
}

function twice(name: string): CallbackError {
  return new CallbackError('INVALID_CALLBACK', `The callback must have ${name} exactly once, as a string`);
}

/** Makes untrusted text of a URL safe for a log. */
function printable(text: string | null, max = 300): string | null {
  if (text === null) return null;
  return redact(text.replace(/[^\x20-\x7e]+/g, ' ')).slice(0, max);
}

function isPending(pending: unknown): pending is PendingAuthorization {
  return (
    typeof pending === 'object' &&
    pending !== null &&
    ['state', 'codeVerifier', 'redirectUri'].every((name) => typeof Reflect.get(pending, name) === 'string')
  );
}
