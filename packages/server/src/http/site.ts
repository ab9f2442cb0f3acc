import type { RequestHandler, Response } from 'express';

/** Where browsers find this server: the parts of its base URL. */
export interface Site {
  /** For example `https://plat.example`. */
  readonly origin: string;
  /** What own paths are prefixed with in pages and redirects: the path of the base URL, empty where it has none. */
  readonly base: string;
}

declare global {
  namespace Express {
    interface Locals {
      site: Site;
    }
  }
}

/** Tells pages and redirects where this server is; a proxy may have taken a prefix off the path. */
export function knowSite(baseUrl: () => string): RequestHandler {
  let site: Site | undefined;
  return (_req, res, next) => {
    site ??= siteOf(baseUrl());
    res.locals.site = site;
    next();
  };
}

/** Sends a browser to a path of this server: 303, so that it comes with a GET. */
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
