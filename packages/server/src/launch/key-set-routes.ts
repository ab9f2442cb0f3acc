import { LIMITS, OAUTH_PATHS } from '@plat/contract';
import { Router } from 'express';
import { sendJson } from '../http/respond.ts';
import type { KeySet } from './key-set.ts';

/** Publishes the keys of launch tokens (specification, Authentication 13). */
export function keySetRoutes(readKeySet: () => Promise<KeySet>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(OAUTH_PATHS.jwks, async (req, res) => {
    const { body, etag } = await readKeySet();
    res.setHeader('Cache-Control', `public, max-age=${LIMITS.jwksMaxAgeSeconds}`);
    res.setHeader('ETag', etag);
    if (req.fresh) return void res.status(304).end();
    sendJson(res, 200, body);
  });
  return router;
}
