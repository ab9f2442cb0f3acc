import type { ErrorBody, ErrorCode } from '../errors.ts';

/** Paths of the authorization server, relative to the base URL of the service. */
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

/** Response of the token endpoint (specification, OAuth token response). */
export interface TokenResponse {
  /** Access token. It is opaque, not a JWT. */
  readonly access_token: string;
  /** Replaces the refresh token of the request, which is no longer valid. */
  readonly refresh_token: string;
  /** Always `Bearer`. */
  readonly token_type: 'Bearer';
  /** Lifetime of the access token in seconds: 3600. */
  readonly expires_in: number;
  /** Scopes of the access token, separated by spaces. */
  readonly scope: string;
}

/** Introspection response for anything but an active access token of the calling app. */
export interface InactiveToken {
  /** Always `false`. */
  readonly active: false;
}

/** Introspection response for an active access token (specification, Introspection response). */
export interface ActiveToken {
  /** Always `true`. */
  readonly active: true;
  /** Id of the app. */
  readonly client_id: string;
  /** Scopes of the token, separated by spaces. */
  readonly scope: string;
  /** Expiry time in Unix seconds. Do not cache the response beyond it. */
  readonly exp: number;
  /** Id of the user who gave the consent. */
  readonly sub: string;
  /** Id of the tenant that gave the consent. */
  readonly tenant_id: string;
}

/** Response of `POST /oauth/introspect`. */
export type Introspection = ActiveToken | InactiveToken;

/** Values of `error` in responses of the OAuth endpoints, besides `code` (RFC 6749, sections 4.1.2.1 and 5.2). */
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

/** Error body of the token, introspection and revocation endpoints: the fields of the service and those of RFC 6749. */
export interface OAuthErrorBody extends ErrorBody {
  /** The error code of RFC 6749. */
  readonly error: OAuthError;
  /** The message, limited to the characters that RFC 6749 allows. */
  readonly error_description: string;
}

/**
 * Returns the `error` for a `code`. An unsupported grant type or response type is INVALID_REQUEST with a more specific
 * `error`. A suspended tenant is not `invalid_grant`: its tokens work again after the reactivation, and clients discard
 * tokens on `invalid_grant`.
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

/** Verification statuses of an app. Only `verified` apps work with tenants that are not sandboxes. */
export const APP_VERIFICATIONS = ['unverified', 'pending', 'verified', 'rejected'] as const;

/** Parties that can disable an app. A developer cannot enable an app that the operator disabled. */
export const APP_DISABLERS = ['developer', 'operator'] as const;

/**
 * States of an installation. `pending`: the tenant consented and the app has not exchanged the code. `suspended`: the
 * tenant is suspended, and its tokens work again when it is reactivated. `expired` and `revoked` are final.
 */
export const INSTALLATION_STATES = ['pending', 'active', 'suspended', 'expired', 'revoked'] as const;

/**
 * Reasons for which a grant ended early. `tenant`, `app`: the party that revoked it. `replaced`: by a later grant of the
 * same app and tenant.
 */
export const REVOKED_REASONS = [
  'tenant',
  'app',
  'code_reused',
  'refresh_token_reused',
  'replaced',
  'app_disabled',
  'app_deleted',
] as const;

/** Endpoints that refuse requests of apps: the one that browsers open, and those that the servers of apps call. */
export const APP_ENDPOINTS = ['authorize', 'token', 'introspect', 'revoke'] as const;
