import type { Request, RequestHandler, Response } from 'express';
import { cookieName, cookieOptions, csrfTokenOf, newSecret, type SessionKind } from './session-cookie.ts';

/** How long a browser may take from the page that asks to the link that answers, in ms. */
const BROWSER_MS = 60 * 60_000;

/** The secret by which a browser that signs in is known again: all that a visitor is given, and only by these pages. */
export interface BrowserCookie {
  /** Puts the token of the browser's forms where `requireCsrf` looks for it; whoever is signed in has another. */
  readonly carry: RequestHandler;
  secretOf(req: Request): string | null;
  /** Gives the browser this secret, and its pages the token that follows from it. */
  give(res: Response, secret: string): void;
  /** The secret that the browser has, or a new one; in either case for another hour. */
  keep(req: Request, res: Response): string;
  forget(res: Response): void;
}

export function browserCookie(kind: SessionKind, isSecure: boolean): BrowserCookie {
  const name = cookieName(`${kind}_sign_in`, isSecure);
  const options = cookieOptions(isSecure);
  const pattern = new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);
  const secretOf = (req: Request): string | null => pattern.exec(req.headers.cookie ?? '')?.[1] ?? null;
  const give = (res: Response, secret: string): void => {
    res.cookie(name, secret, { ...options, maxAge: BROWSER_MS });
    res.locals.csrfToken = csrfTokenOf(secret);
  };
  return {
    secretOf,
    give,
    carry(req, res, next) {
      const secret = secretOf(req);
      if (secret === null) delete res.locals.csrfToken;
      else res.locals.csrfToken = csrfTokenOf(secret);
      next();
    },
    keep(req, res) {
      const secret = secretOf(req) ?? newSecret();
      give(res, secret);
      return secret;
    },
    forget: (res) => void res.clearCookie(name, options),
  };
}
