import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { Route } from '../http/route.ts';
import { createDocument } from './create-document.ts';

/** `/openapi.json`: the document of this server. It is created once, and then revalidated by its ETag. */
export function documentRoutes(routes: readonly Route[], baseUrl: () => string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let made: { readonly body: Buffer; readonly etag: string } | undefined;
  router.get('/openapi.json', (req, res) => {
    made ??= make();
    const { body, etag } = made;
    res.setHeader('Cache-Control', 'public, max-age=300');
    res.setHeader('ETag', etag);
    if (req.fresh) return void res.status(304).end();
    res.setHeader('Content-Type', 'application/json; charset=utf-8');
    res.setHeader('Content-Length', body.byteLength);
    res.end(body);
  });
  return router;

  function make() {
    const body = Buffer.from(JSON.stringify(createDocument(routes, [{ url: baseUrl() }])));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
  }
}
