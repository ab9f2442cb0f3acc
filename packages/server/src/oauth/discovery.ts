import { authorizationServerMetadata, LIMITS, OAUTH_PATHS, protectedResourceMetadata } from '@plat/contract';
import { type RequestHandler, type Response, Router } from 'express';
import { sendJson } from '../http/respond.ts';

/**
 * Serves the metadata by which standard clients configure themselves: of the authorization server (RFC 8414) and of the
 * API as a protected resource (RFC 9728). If the base URL has a path, each is also served with that path behind the
 * well-known part, as the RFCs require. A proxy must pass these paths on.
 */
export function discoveryRoutes(baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  publish(router, OAUTH_PATHS.metadata, baseUrl, authorizationServerMetadata);
  publish(router, OAUTH_PATHS.resourceMetadata, baseUrl, protectedResourceMetadata);
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
