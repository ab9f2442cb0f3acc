import type { Request, RequestHandler, Response } from 'express';
import { cookieName, cookieOptions, csrfTokenOf, newSecret, type SessionKind } from './session-cookie.ts';

/** Maximum time between the sign-in form and the use of its link, in ms. */
const BROWSER_MS = 60 * 60_000;

/**
 * Cookie with a secret that identifies a browser during sign-in. It is set on the sign-in pages only, and is the only
 * cookie of a browser that is not signed in.
 */
export interface BrowserCookie {
  /**
   * Sets the form token of the browser, which `requireCsrf` compares. A signed-in user has the token of the session
   * instead.
   */
  readonly setCsrfToken: RequestHandler;
  /** Returns the browser's secret; null without the cookie. */
  secretOf(req: Request): string | null;
  /** Sets the browser's secret, and the form token that is derived from it. */
  set(res: Response, secret: string): void;
  /** Returns the browser's secret, or a new one. Extends its life to another hour. */
  ensure(req: Request, res: Response): string;
  clear(res: Response): void;
}

export function browserCookie(kind: SessionKind, isSecure: boolean): BrowserCookie {
  const name = cookieName(`${kind}_sign_in`, isSecure);
  const options = cookieOptions(isSecure);
  const pattern = new RegExp(`(?:^|;)\\s*${name}=([A-Za-z0-9_-]{43})\\s*(?:;|$)`);
  const secretOf = (req: Request): string | null => pattern.exec(req.headers.cookie ?? '')?.[1] ?? null;
  const set = (res: Response, secret: string): void => {
    res.cookie(name, secret, { ...options, maxAge: BROWSER_MS });
    res.locals.csrfToken = csrfTokenOf(secret);
  };
  return {
    secretOf,
    set,
    setCsrfToken(req, res, next) {
      const secret = secretOf(req);
      if (secret === null) delete res.locals.csrfToken;
      else res.locals.csrfToken = csrfTokenOf(secret);
      next();
    },
    ensure(req, res) {
      const secret = secretOf(req) ?? newSecret();
      set(res, secret);
      return secret;
    },
    clear: (res) => void res.clearCookie(name, options),
  };
}
