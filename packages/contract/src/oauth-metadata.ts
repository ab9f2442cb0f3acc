import { OAUTH_PATHS } from './objects/oauth.ts';
import { ALL_SCOPES } from './scopes.ts';

/**
 * Returns the metadata of the API as a protected resource (RFC 9728).
 * @param resource base URL of the service
 */
export function protectedResourceMetadata(resource: string): object {
  return {
    resource,
    authorization_servers: [resource],
    scopes_supported: ALL_SCOPES,
    bearer_methods_supported: ['header'],
  };
}

const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'];

/**
 * Returns the metadata of the authorization server, by which standard clients configure themselves (RFC 8414).
 * @param issuer base URL of the service
 */
export function authorizationServerMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: issuer + OAUTH_PATHS.authorize,
    token_endpoint: issuer + OAUTH_PATHS.token,
    introspection_endpoint: issuer + OAUTH_PATHS.introspect,
    revocation_endpoint: issuer + OAUTH_PATHS.revoke,
    jwks_uri: issuer + OAUTH_PATHS.jwks,
    scopes_supported: ALL_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    introspection_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    revocation_endpoint_auth_methods_supported: AUTHENTICATION_METHODS,
    authorization_response_iss_parameter_supported: true,
  };
}
