import { LIMITS, OAUTH_PATHS } from '@plat/contract';
import { type Request, Router } from 'express';
import { sendJson } from '../http/respond.ts';
import type { KeySet } from './key-set.ts';

/** Publishes the keys of launch tokens (specification, Authentication 13). */
export function keySetRoutes(readKeySet: () => Promise<KeySet>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(OAUTH_PATHS.jwks, async (req, res) => {
    const { body, etag } = await readKeySet();
    res.setHeader('Cache-Control', `public, max-age=${LIMITS.jwksMaxAgeSeconds}`);
    res.setHeader('ETag', etag);
    if (hasAlready(req, etag)) res.status(304).end();
    else sendJson(res, 200, body);
  });
  return router;
}

/**
 * Replaces `req.fresh`: fetch sends `Cache-Control: no-cache` with every If-None-Match, and that would count as a
 * reload.
 */
function hasAlready({ headers }: Request, etag: string): boolean {
  const given = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return given.includes(etag) || given.includes('*');
}
