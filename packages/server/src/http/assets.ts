import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { STYLE } from './style.ts';

/** A static file of the pages. Its path contains a hash of its content. */
interface Asset {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
}

export const STYLESHEET = asset('style', 'css', 'text/css; charset=utf-8', STYLE);

/** The one script of the signed-in pages. Every page works without it. The build copies it beside the compiled code. */
export const SCRIPT_FILE = asset(
  'script',
  'js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('./browser/console.js', import.meta.url), 'utf8'),
);

export const ICON = asset(
  'icon',
  'svg',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d52bd"/><path d="M10 25V8h7.5a5.5 5.5 0 0 1 0 11H14v6z" fill="#fff"/></svg>',
);

/** Serves the static files of the pages. Browsers cache them permanently. */
export function assetRoutes(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, type, etag, body } of [STYLESHEET, SCRIPT_FILE, ICON]) {
    router.get(path, (req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      res.setHeader('ETag', etag);
      if (req.fresh) return void res.status(304).end();
      res.setHeader('Content-Type', type);
      res.setHeader('Content-Length', body.length);
      res.end(req.method === 'HEAD' ? undefined : body);
    });
  }
  return router;
}

function asset(name: string, extension: string, type: string, text: string): Asset {
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 16);
  return { path: `/assets/${name}-${hash}.${extension}`, type, etag: `"${hash}"`, body: Buffer.from(text) };
}
