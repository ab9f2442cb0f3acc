import type { ErrorBody, ErrorCode } from '../errors.ts';

/** Paths of the authorization server, each below the base URL of the service. */
export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  introspect: '/oauth/introspect',
  revoke: '/oauth/revoke',
  jwks: '/.well-known/jwks.json',
  /** Metadata of the authorization server (RFC 8414). */
  metadata: '/.well-known/oauth-authorization-server',
  /** Metadata of the API as a protected resource (RFC 9728). */
  resourceMetadata: '/.well-known/oauth-protected-resource',
} as const;

/** Answer of the token endpoint (specification, OAuth token response). */
export interface TokenResponse {
  /** Opaque, not a JWT. */
  readonly access_token: string;
  /** Takes the place of the one that was presented, which is dead from now on. */
  readonly refresh_token: string;
  /** Always `Bearer`. */
  readonly token_type: 'Bearer';
  /** Seconds that the access token lives: 3600. */
  readonly expires_in: number;
  /** The scopes of the access token, separated by spaces. */
  readonly scope: string;
}

/** Introspection of anything but a live access token of the calling app. */
export interface InactiveToken {
  /** Always `false`. */
  readonly active: false;
}

/** Introspection of a live access token (specification, Introspection response). */
export interface ActiveToken {
  /** Always `true`. */
  readonly active: true;
  /** Id of the app. */
  readonly client_id: string;
  /** Separated by spaces. */
  readonly scope: string;
  /** Unix seconds. The answer must not be cached beyond it. */
  readonly exp: number;
  /** Id of the user who gave the consent. */
  readonly sub: string;
  /** Id of the tenant that gave the consent. */
  readonly tenant_id: string;
}

/** Answer of `POST /oauth/introspect`. */
export type Introspection = ActiveToken | InactiveToken;

/** `error` of the OAuth endpoints, beside `code` (RFC 6749, sections 4.1.2.1 and 5.2). */
export type OAuthError =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'expired_token'
  | 'access_denied'
  | 'server_error'
  | 'temporarily_unavailable';

/** The body of a refusal by the token, introspection and revocation endpoints: the service's own, and RFC 6749's. */
export interface OAuthErrorBody extends ErrorBody {
  /** The error code of RFC 6749. */
  readonly error: OAuthError;
  /** The message in the characters that RFC 6749 allows. */
  readonly error_description: string;
}

/**
 * The `error` that stands beside a `code`. A grant type or response type that is not offered is INVALID_REQUEST with its
 * own error. A suspended tenant is not `invalid_grant`: its tokens come back with it, and clients throw away what that
 * names.
 */
export function oauthErrorOf(code: ErrorCode): OAuthError {
  return OAUTH_ERRORS[code] ?? 'invalid_request';
}

const OAUTH_ERRORS: { readonly [C in ErrorCode]?: OAuthError } = {
  INVALID_GRANT: 'invalid_grant',
  INVALID_PKCE: 'invalid_grant',
  INVALID_REDIRECT_URI: 'invalid_grant',
  INVALID_CLIENT_SECRET: 'invalid_client',
  INVALID_SCOPE: 'invalid_scope',
  // RFC 8628, section 3.5.
  AUTHORIZATION_PENDING: 'authorization_pending',
  SLOW_DOWN: 'slow_down',
  EXPIRED_TOKEN: 'expired_token',
  ACCESS_DENIED: 'access_denied',
  APP_NOT_VERIFIED_CANT_AUTHORIZE_TENANT: 'unauthorized_client',
  APP_DISABLED: 'unauthorized_client',
  TENANT_SUSPENDED: 'access_denied',
  FORBIDDEN: 'access_denied',
  RATE_LIMITED: 'temporarily_unavailable',
  SERVICE_UNAVAILABLE: 'temporarily_unavailable',
  INTERNAL_ERROR: 'server_error',
};

/** Where an app stands with the platform's review. Only a `verified` one works with tenants that are not sandboxes. */
export const APP_VERIFICATIONS = ['unverified', 'pending', 'verified', 'rejected'] as const;

/** Who disabled an app. What the operator disabled, the developer cannot enable. */
export const APP_DISABLERS = ['developer', 'operator'] as const;
