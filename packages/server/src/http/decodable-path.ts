import type { RequestHandler } from 'express';
import { unknownRoute } from './error-handler.ts';

/** Responds 404 to a path that cannot be decoded, such as `/%zz`, and to the target `*`, which has no session. */
export const requireDecodablePath: RequestHandler = (req, res, next) => {
  if (req.path.startsWith('/') && isDecodable(req.path)) next();
  else unknownRoute(req, res, next);
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
