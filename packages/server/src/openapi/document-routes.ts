import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Route } from '../http/route.ts';
import { createDocument } from './create-document.ts';
import { readViewerFile, VIEWER_FILES } from './viewer-files.ts';

/**
 * Swagger UI styles its elements by attributes and draws with data: images. All other files come from this server;
 * nothing is inline.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json`: the document of this server. `/docs`: the page to read it and to try requests. */
export function documentRoutes(routes: readonly Route[], baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    '/openapi.json',
    kept('application/json; charset=utf-8', async () =>
      Buffer.from(JSON.stringify(createDocument(routes, [{ url: baseUrl() }]))),
    ),
  );
  router.get(
    '/docs',
    pageHeaders,
    kept('text/html; charset=utf-8', () => readViewerFile('index.html')),
  );
  for (const [name, type] of VIEWER_FILES)
    router.get(
      `/docs/${name}`,
      kept(type, () => readViewerFile(name)),
    );
  return router;
}

const pageHeaders: RequestHandler = (_req, res, next) => {
  res.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
  res.setHeader('Referrer-Policy', 'no-referrer');
  next();
};

/**
 * Serves content that is constant for the life of the process. It is created once, and then revalidated by its ETag.
 */
function kept(type: string, make: () => Promise<Buffer>): RequestHandler {
  let made: Promise<{ readonly body: Buffer; readonly etag: string }> | undefined;
  return async (req, res) => {
    made ??= make().then((body) => ({ body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` }));
    const { body, etag } = await made;
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.setHeader('ETag', etag);
    send(req, res, type, body);
  };
}

function send(req: Request, res: Response, type: string, body: Buffer): void {
  if (req.fresh) return void res.status(304).end();
  res.setHeader('Content-Type', type);
  res.setHeader('Content-Length', body.byteLength);
  res.end(body);
}
