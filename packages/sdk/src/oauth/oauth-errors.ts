import { PlatformError, type PlatformErrorDetails } from '../errors/platform-error.ts';

/**
 * Why a tenant has to be sent to the consent page. `not_connected`: the store has nothing under this key. `refused`: the
 * service refused the refresh token (consent withdrawn, 90 days unused). `answer_lost`: the token had been spent by a
 * refresh whose answer never came, and the service refused it afterwards. `revoked`: your app revoked the grant.
 */
export type ReauthorizationReason = 'not_connected' | 'refused' | 'answer_lost' | 'revoked';

/** No tokens are left for this grant: only the tenant's consent helps, so send its owner through `authorizationUrl`. */
export class ReauthorizationRequired extends PlatformError {
  /** Always `ReauthorizationRequired`. */
  override readonly name = 'ReauthorizationRequired';
  readonly code = 'REAUTHORIZATION_REQUIRED';
  /** The key of the grant in your store. */
  readonly key: string;
  /** Why the grant no longer works. */
  readonly reason: ReauthorizationReason;

  constructor(key: string, reason: ReauthorizationReason, details?: PlatformErrorDetails) {
    super(`The grant ${key} has no working tokens (${reason}); the tenant has to consent again`, details);
    this.key = key;
    this.reason = reason;
  }
}

/** The tenant's owner or the service said no on the consent page: the redirect carried `error`. */
export class AuthorizationError extends PlatformError {
  /** Always `AuthorizationError`. */
  override readonly name = 'AuthorizationError';
  /** `ACCESS_DENIED`: the owner refused. */
  readonly code: 'ACCESS_DENIED' | 'AUTHORIZATION_FAILED';
  /** The redirect's `error` (RFC 6749, 4.1.2.1), for example `invalid_scope`. */
  readonly error: string;

  constructor(error: string, description: string | null) {
    super(`Not authorized: ${error}${description === null ? '' : ` (${description})`}`);
    this.code = error === 'access_denied' ? 'ACCESS_DENIED' : 'AUTHORIZATION_FAILED';
    this.error = error;
  }
}

/**
 * A call of the redirect URI that does not belong to the authorization that was begun: forged, from another service, or
 * from another browser. Nothing was sent.
 */
export class CallbackError extends PlatformError {
  /** Always `CallbackError`. */
  override readonly name = 'CallbackError';
  readonly code: 'STATE_MISMATCH' | 'ISSUER_MISMATCH' | 'INVALID_CALLBACK';

  constructor(code: CallbackError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * The access token could not be renewed. `outcome` is `not_sent` when no request left this machine, and `unknown` when
 * one did and no sound answer came: the service may have spent the refresh token. It is then not presented again before
 * the old access token has ended. `cause` says what happened; calling again later is right in both cases.
 */
export class RefreshError extends PlatformError {
  /** Always `RefreshError`. */
  override readonly name = 'RefreshError';
  readonly code = 'REFRESH_FAILED';
  /** Key of the grant in its store. */
  readonly key: string;
  /** `not_sent`: the old refresh token still works. `unknown`: it may have been used. */
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

/** Another process works on this grant for longer than `lockTimeout`. */
export class GrantLockedError extends PlatformError {
  /** Always `GrantLockedError`. */
  override readonly name = 'GrantLockedError';
  readonly code = 'GRANT_LOCKED';
  /** Key of the grant in its store. */
  readonly key: string;
  /** Who has it, as far as the store can tell, for example `process 4711 on web-1`. */
  readonly holder: string;

  constructor(key: string, holder: string, waited: number) {
    super(`The grant ${key} has been locked by ${holder} for all of ${waited} ms`, { retryable: true });
    this.key = key;
    this.holder = holder;
  }
}

/** The store failed, or what it holds cannot be read. `cause` has its error, without secrets. */
export class GrantStoreError extends PlatformError {
  /** Always `GrantStoreError`. */
  override readonly name = 'GrantStoreError';
  readonly code = 'GRANT_STORE_FAILED';
  /** Key of the grant in its store. */
  readonly key: string;

  constructor(key: string, message: string, details?: PlatformErrorDetails) {
    super(`The store of the grant ${key} ${message}`, details);
    this.key = key;
  }
}
