import { ALL_SCOPES, LIMITS, OAUTH_PATHS } from '@plat/contract';
import { type RequestHandler, type Response, Router } from 'express';
import { sendJson } from '../http/respond.ts';

/**
 * Serves the metadata by which standard clients configure themselves: of the authorization server (RFC 8414) and of the
 * API as a protected resource (RFC 9728). If the base URL has a path, each is also served with that path behind the
 * well-known part, as the RFCs require. A proxy must pass these paths on.
 */
export function discoveryRoutes(baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  publish(router, OAUTH_PATHS.metadata, baseUrl, serverMetadata);
  publish(router, OAUTH_PATHS.resourceMetadata, baseUrl, resourceMetadata);
  return router;
}

/** Adds the address of the resource metadata to every challenge of the API (RFC 9728, section 5.1). */
export function nameResourceMetadata(baseUrl: () => string): RequestHandler {
  return (_req, res, next) => {
    const { origin, pathname } = new URL(baseUrl());
    res.locals.resourceMetadata = origin + OAUTH_PATHS.resourceMetadata + pathname.replace(/\/+$/, '');
    next();
  };
}

function publish(router: Router, path: string, baseUrl: () => string, documentOf: (issuer: string) => object): void {
  let document: string | undefined;
  const send = (res: Response): void => {
    document ??= JSON.stringify(documentOf(baseUrl()));
    res.setHeader('Cache-Control', `public, max-age=${LIMITS.jwksMaxAgeSeconds}`);
    sendJson(res, 200, document);
  };
  router.get(`${path}{/*inserted}`, (req, res, next) => {
    const { pathname } = new URL(baseUrl());
    if (req.path === path || req.path === path + pathname) send(res);
    else next();
  });
}

const AUTHENTICATION_METHODS = ['client_secret_basic', 'client_secret_post'];

function serverMetadata(issuer: string): object {
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

function resourceMetadata(resource: string): object {
  return {
    resource,
    authorization_servers: [resource],
    scopes_supported: ALL_SCOPES,
    bearer_methods_supported: ['header'],
  };
}
