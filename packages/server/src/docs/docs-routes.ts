import { type Request, type RequestHandler, type Response, Router } from 'express';
import { contentSecurityPolicy, OWN_FORMS } from '../http/page.ts';
import { searchResults } from './search.ts';
import { siteFiles } from './site-files.ts';

const SEARCH_PAGE = 'search/index.html';

/** Pages that had another address in an earlier release, by that address. */
const MOVED: Readonly<Record<string, string>> = { 'cli-reference': 'cli' };

/** Limit of searches for each network. A search with short words costs more than a hundred other pages. */
export const SEARCHES = { points: 60, seconds: 60 };

/**
 * `/docs`: the documentation, which the build writes as static files, and its search for browsers without script.
 * @param limitSearches refuses a network that searches too often
 */
export function docsRoutes(limitSearches: RequestHandler): Router {
  const files = siteFiles();
  const router = Router({ caseSensitive: true, strict: true });
  router.get(/^\/docs\/search\/(?:index\.html)?$/, (req, res, next) =>
    req.query['q'] === undefined ? next() : limitSearches(req, res, next),
  );
  router.get(/^\/docs(?:\/.*)?$/, headers, async (req, res, next) => {
    const path = req.path.slice('/docs/'.length);
    const isFolder = path === '' || path.endsWith('/');
    const folder = path.replace(/\/$/, '');
    if (Object.hasOwn(MOVED, folder)) return redirect(req, res, `${isFolder ? '../' : ''}${MOVED[folder]}/`);
    // `/docs` and `/docs/webhooks` are folders; links of their pages are relative.
    if (req.path === '/docs' || files.find(`${path}/index.html`))
      return redirect(req, res, `${req.path.split('/').at(-1)}/`);
    const name = isFolder ? `${path}index.html` : path;
    const found = await files.find(name);
    if (found === null) return next();
    const words = typeof req.query['q'] === 'string' ? req.query['q'].trim() : '';
    if (name === SEARCH_PAGE && words !== '') {
      const page = await searchResults(files, found.plain.bytes.toString(), words);
      return send(res, found.type, Buffer.from(page));
    }
    const isCompressed = req.acceptsEncodings('gzip') === 'gzip';
    const { bytes, etag } = isCompressed ? found.gzipped : found.plain;
    res.setHeader('Vary', 'Accept-Encoding');
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.setHeader('ETag', etag);
    if (req.fresh) return void res.status(304).end();
    if (isCompressed) res.setHeader('Content-Encoding', 'gzip');
    send(res, found.type, bytes);
  });
  return router;
}

const headers: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', contentSecurityPolicy(OWN_FORMS, true));
  res.setHeader('Referrer-Policy', 'same-origin');
  next();
};

/** @param to relative address, because a proxy may have removed a prefix from the path */
function redirect(req: Request, res: Response, to: string): void {
  res.statusCode = 301;
  const { search } = new URL(req.url, 'http://localhost');
  res.setHeader('Location', `${to}${search}`);
  res.setHeader('Content-Length', 0);
  res.end();
}

function send(res: Response, type: string, bytes: Buffer): void {
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', bytes.byteLength);
  res.end(bytes);
}
