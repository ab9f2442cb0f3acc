import type { RequestHandler, Response } from 'express';

/** Public address of this server, split into the parts of its base URL. */
export interface Site {
  /** For example `https://plat.example`. */
  readonly origin: string;
  /** Path of the base URL, which prefixes own paths in pages and redirects. Empty if the base URL has no path. */
  readonly base: string;
}

declare global {
  namespace Express {
    interface Locals {
      site: Site;
    }
  }
}

/** Sets `res.locals.site` for pages and redirects. A proxy may have removed the prefix from the path of the request. */
export function siteMiddleware(baseUrl: () => string): RequestHandler {
  let site: Site | undefined;
  return (_req, res, next) => {
    site ??= siteOf(baseUrl());
    res.locals.site = site;
    next();
  };
}

/** Redirects a browser to a path of this server, with 303 so that it sends a GET. */
export function redirectTo(res: Response, path: string): void {
  res.statusCode = 303;
  res.setHeader('Location', res.locals.site.base + path);
  res.setHeader('Content-Length', 0);
  res.setHeader('Cache-Control', 'no-store');
  res.end();
}

function siteOf(baseUrl: string): Site {
  const { origin, pathname } = new URL(baseUrl);
  return Object.freeze({ origin, base: pathname.replace(/\/+$/, '') });
}
