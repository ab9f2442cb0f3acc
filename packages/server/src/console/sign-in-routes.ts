import { email, object } from '@plat/contract/schemas';
import { type Request, type Response, Router } from 'express';
import { admitPages, type PageHandler } from '../accounts/admit-page.ts';
import { browserCookie } from '../accounts/browser-cookie.ts';
import { returnPath } from '../accounts/return-path.ts';
import { postedFields, requireCsrf } from '../accounts/session.ts';
import { cookieName, cookieOptions, type SessionKind } from '../accounts/session-cookie.ts';
import { beginSession, endSession } from '../accounts/session-middleware.ts';
import {
  chooseAccount,
  type Outcome,
  proveAddress,
  readChoices,
  requestSignIn,
  type SignInServices,
  type SigningIn,
} from '../accounts/sign-in.ts';
import { findLink, invalidLink, isTokenOf, type LinkRequester } from '../accounts/sign-in-links.ts';
import type { Admission } from '../auth/admission.ts';
import { networkOf } from '../auth/network.ts';
import { errorPage } from '../http/error-page.ts';
import { OWN_FORMS, type Page, sendPage } from '../http/page.ts';
import { redirectTo } from '../http/site.ts';
import { validate } from '../http/validate.ts';
import { ApiError } from '../kernel/api-error.ts';
import type { Clock } from '../kernel/clock.ts';
import { findWaitingApp } from '../oauth/authorize/waiting-app.ts';
import { PLACES } from './places.ts';
import type { SignInLimit } from './sign-in-limit.ts';
import { choicePage, codePage, linkPage, otherBrowserPage, refusedPage, signInPage } from './sign-in-pages.ts';

export interface SignInRouteServices extends SignInServices {
  readonly clock: Clock;
  readonly admission: Admission;
  readonly isSecure: boolean;
  readonly baseUrl: () => string;
  /** True if the server shows its mails at `/_dev/mail` instead of sending them. */
  readonly showsDevMail: boolean;
}

const asked = object({ email: email() }, ['email']);

/** Serves sign-in and sign-out of one kind of account. A GET changes nothing but the browser's own cookie. */
export function signInRoutes(kind: SessionKind, services: SignInRouteServices, limit: SignInLimit): Router {
  const { db, clock, isSecure, baseUrl, showsDevMail } = services;
  const place = PLACES[kind];
  const admitted = admitPages(services.admission);
  const { home, signIn, signOut } = place;
  const browser = browserCookie(kind, isSecure);
  const router = Router({ caseSensitive: true, strict: true });
  const get = (path: string, handle: PageHandler) => router.get(path, browser.setCsrfToken, admitted(handle));
  const post = (path: string, handle: PageHandler) =>
    router.post(path, browser.setCsrfToken, requireCsrf, admitted(handle));

  router.get(
    signIn,
    admitted(async (req, res) => {
      browser.ensure(req, res);
      const asks = { email: '', ...(await returning(textOf(req.query['return_to']))) };
      show(res, 200, signInPage({ ...shown(res), ...asks, signedInAs: req.account?.email ?? null }));
    }),
  );

  post(signIn, async (req, res) => {
    const fields = postedFields(req);
    const { returnTo, app } = await returning(fields['return_to']);
    const typed = fields['email'] ?? '';
    const address = addressOf(typed);
    if (address === null) {
      const problem = 'Enter an email address such as ada@example.com.';
      return show(res, 400, signInPage({ ...shown(res), email: typed, returnTo, app, signedInAs: null, problem }));
    }
    await limit(req);
    const page = `${baseUrl()}${signIn}/link`;
    await requestSignIn(services, {
      kind,
      browser: browser.ensure(req, res),
      email: address,
      returnTo,
      page,
      network: networkOf(req.ip ?? ''),
      now: clock(),
    });
    redirectTo(res, `${signIn}/code`);
  });

  get(`${signIn}/code`, async (req, res) => {
    const link = await pending(req);
    if (!link) return redirectTo(res, signIn);
    show(res, 200, codePage({ ...shown(res), email: link.email, showsDevMail }));
  });

  post(`${signIn}/code`, async (req, res) => {
    await continueSignIn(
      req,
      res,
      await proveAddress(services, signingIn(req, res), { code: postedFields(req)['code'] ?? '' }),
    );
  });

  get(`${signIn}/link`, async (req, res) => {
    if (browser.secretOf(req) === null) return show(res, 200, otherBrowserPage());
    const [link, token] = [await pending(req), textOf(req.query['token']) ?? ''];
    if (!link || !isTokenOf(link, token)) throw invalidLink();
    show(res, 200, linkPage({ ...shown(res), email: link.email, token }));
  });

  post(`${signIn}/link`, async (req, res) => {
    await continueSignIn(
      req,
      res,
      await proveAddress(services, signingIn(req, res), { token: postedFields(req)['token'] ?? '' }),
    );
  });

  if (kind === 'admin') {
    get(`${signIn}/tenant`, async (req, res) => {
      const accounts = await readChoices(db, requesterOf(req), clock());
      show(res, 200, choicePage({ ...shown(res), accounts }));
    });

    post(`${signIn}/tenant`, async (req, res) => {
      await continueSignIn(req, res, await chooseAccount(db, signingIn(req, res), postedFields(req)['user_id'] ?? ''));
    });
  }

  router.post(
    signOut,
    ifSignedIn,
    requireCsrf,
    admitted(async (req, res) => {
      await endSession(req);
      res.clearCookie(cookieName(kind, isSecure), cookieOptions(isSecure));
      // After a sign-out to change the account, the user returns to the same page.
      const returnTo = returnPath(postedFields(req)['return_to'], home);
      redirectTo(res, returnTo === home ? signIn : `${signIn}?${new URLSearchParams({ return_to: returnTo })}`);
    }),
  );

  router.use(
    [signIn, signOut],
    errorPage(({ message }, base) => refusedPage(place, base, message)),
  );
  return router;

  function shown(res: Response) {
    return { place, base: res.locals.site.base, csrfToken: res.locals.csrfToken ?? '' };
  }

  /** The page after the sign-in, and the app that it is about. Only users of tenants decide about apps. */
  async function returning(path: string | undefined) {
    const returnTo = returnPath(path, home);
    return { returnTo, app: kind === 'admin' ? await findWaitingApp(db, returnTo) : null };
  }

  function show(res: Response, status: number, page: Page): void {
    sendPage(res, status, page, OWN_FORMS);
  }

  /** @throws {@link ApiError} NOT_FOUND for a browser that requested no link */
  function requesterOf(req: Request): LinkRequester {
    const secret = browser.secretOf(req);
    if (secret === null) throw invalidLink();
    return { kind, browser: secret };
  }

  function signingIn(req: Request, res: Response): SigningIn {
    return { ...requesterOf(req), now: clock(), request: { requestId: res.locals.requestId, ip: req.ip ?? null } };
  }

  async function pending(req: Request) {
    const secret = browser.secretOf(req);
    return secret === null ? undefined : findLink(db, { kind, browser: secret }, clock(), null);
  }

  async function continueSignIn(req: Request, res: Response, outcome: Outcome): Promise<void> {
    if (outcome.result === 'choose') {
      browser.set(res, outcome.browser);
      return redirectTo(res, `${signIn}/tenant`);
    }
    if (outcome.result === 'wrong_code') {
      const tries = outcome.triesLeft === 1 ? 'one try is' : `${outcome.triesLeft} tries are`;
      const problem = `This code doesn't match the latest email; ${tries} left.`;
      return show(res, 422, codePage({ ...shown(res), email: outcome.email, problem, showsDevMail }));
    }
    await beginSession(req, outcome.account);
    browser.clear(res);
    redirectTo(res, outcome.returnTo);
  }

  function ifSignedIn(req: Request, res: Response, next: () => void): void {
    if (req.account) next();
    else redirectTo(res, signIn);
  }
}

function addressOf(typed: string): string | null {
  try {
    return (validate('INVALID_REQUEST', asked, { email: typed }) as { email: string }).email;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Returns a query field that is not repeated. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
