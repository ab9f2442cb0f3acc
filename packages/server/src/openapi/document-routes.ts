import { createHash } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Route } from '../http/route.ts';
import { createDocument } from './create-document.ts';

/** `/openapi.json`: the document of this server. */
export function documentRoutes(routes: readonly Route[], baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    '/openapi.json',
    kept('application/json; charset=utf-8', async () =>
      Buffer.from(JSON.stringify(createDocument(routes, [{ url: baseUrl() }]))),
    ),
  );
  return router;
}

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
