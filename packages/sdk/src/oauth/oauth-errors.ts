import { PlatformError, type PlatformErrorDetails } from '../errors/platform-error.ts';

/**
 * Reasons why a tenant must consent again. `not_connected`: the store has no grant under this key. `refused`: the
 * service refused the refresh token (consent revoked, or 90 days unused). `answer_lost`: the response of a refresh was
 * lost after the service had spent the token, which it then refused. `revoked`: your app revoked the grant.
 */
export type ReauthorizationReason = 'not_connected' | 'refused' | 'answer_lost' | 'revoked';

/** Thrown if a grant has no valid tokens. Only a new consent helps: send its owner through `authorizationUrl`. */
export class ReauthorizationRequired extends PlatformError {
  /** Always `ReauthorizationRequired`. */
  override readonly name = 'ReauthorizationRequired';
  readonly code = 'REAUTHORIZATION_REQUIRED';
  /** Key of the grant in the store. */
  readonly key: string;
  /** Why the grant no longer works. */
  readonly reason: ReauthorizationReason;

  constructor(key: string, reason: ReauthorizationReason, details?: PlatformErrorDetails) {
    super(`The grant ${key} has no working tokens (${reason}); the tenant must consent again`, details);
    this.key = key;
    this.reason = reason;
  }
}

/** Thrown if the owner or the service refused the authorization: the redirect contained `error`. */
export class AuthorizationError extends PlatformError {
  /** Always `AuthorizationError`. */
  override readonly name = 'AuthorizationError';
  /** `ACCESS_DENIED`: the owner refused. `AUTHORIZATION_FAILED`: any other error. */
  readonly code: 'ACCESS_DENIED' | 'AUTHORIZATION_FAILED';
  /** Parameter `error` of the redirect (RFC 6749, 4.1.2.1), for example `invalid_scope`. */
  readonly error: string;

  constructor(error: string, description: string | null) {
    super(`Not authorized: ${error}${description === null ? '' : ` (${description})`}`);
    this.code = error === 'access_denied' ? 'ACCESS_DENIED' : 'AUTHORIZATION_FAILED';
    this.error = error;
  }
}

/**
 * Thrown for a call of the redirect URI that does not belong to the started authorization: forged, from another
 * service, or from another browser. Nothing was sent. `OTHER_TENANT`, of `reconnect` only: the owner consented for another
 * tenant, and the new tokens were revoked.
 */
export class CallbackError extends PlatformError {
  /** Always `CallbackError`. */
  override readonly name = 'CallbackError';
  readonly code: 'STATE_MISMATCH' | 'ISSUER_MISMATCH' | 'INVALID_CALLBACK' | 'OTHER_TENANT';

  constructor(code: CallbackError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Thrown if the access token could not be renewed. `outcome` is `not_sent` if no request was sent. It is `unknown` if
 * the response was lost: the service may have spent the refresh token. The token is then not presented again before the
 * old access token has expired. `cause` is the reason. In both cases, try again later.
 */
export class RefreshError extends PlatformError {
  /** Always `RefreshError`. */
  override readonly name = 'RefreshError';
  readonly code = 'REFRESH_FAILED';
  /** Key of the grant in the store. */
  readonly key: string;
  /** `not_sent`: the old refresh token still works. `unknown`: it may be spent. */
  readonly outcome: 'not_sent' | 'unknown';

  constructor(key: string, outcome: RefreshError['outcome'], cause: PlatformError) {
    super(`The access token of ${key} could not be renewed: ${cause.message}`, {
      cause,
      retryable: true,
      requestId: cause.requestId,
    });
    this.key = key;
    this.outcome = outcome;
  }
}

/** Thrown if another process holds the lock of the grant for longer than `lockTimeout`. */
export class GrantLockedError extends PlatformError {
  /** Always `GrantLockedError`. */
  override readonly name = 'GrantLockedError';
  readonly code = 'GRANT_LOCKED';
  /** Key of the grant in the store. */
  readonly key: string;
  /** Lock holder, as reported by the store, for example `process 4711 on web-1`. */
  readonly holder: string;

  constructor(key: string, holder: string, waited: number) {
    super(`The grant ${key} is still locked by ${holder} after ${waited} ms`, { retryable: true });
    this.key = key;
    this.holder = holder;
  }
}

/** Thrown if the store failed or its content cannot be read. `cause` is its error, with secrets redacted. */
export class GrantStoreError extends PlatformError {
  /** Always `GrantStoreError`. */
  override readonly name = 'GrantStoreError';
  readonly code = 'GRANT_STORE_FAILED';
  /** Key of the grant in the store. */
  readonly key: string;

  constructor(key: string, message: string, details?: PlatformErrorDetails) {
    super(`The store of the grant ${key} ${message}`, details);
    this.key = key;
  }
}
