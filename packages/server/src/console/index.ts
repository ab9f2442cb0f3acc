import { type Request, Router } from 'express';
import { type SessionServices, sessionMiddleware } from '../accounts/session-middleware.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { APPROVAL_PATH } from '../developer/device-routes.ts';
import { unknownRoute } from '../http/error-handler.ts';
import { errorPage } from '../http/error-page.ts';
import { readForm } from '../http/form.ts';
import type { Page } from '../http/page.ts';
import { type AuthorizeServices, authorizeRoutes } from '../oauth/authorize/authorize-endpoint.ts';
import { accountRoutes } from './account-routes.ts';
import { appInstallationRoutes } from './app-installations.ts';
import { appRefusalRoutes } from './app-refusals.ts';
import { appRoutes } from './app-routes.ts';
import { appTraceRoutes } from './app-trace-routes.ts';
import { appWebhookRoutes } from './app-webhook-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { cliRoutes, limitUserCodes } from './cli-routes.ts';
import { componentRoutes } from './components-routes.ts';
import { sandboxConsentRoutes, tenantConsentRoutes } from './consent-routes.ts';
import { appReplayRoutes, dataRoutes } from './data-routes.ts';
import { enteredFields } from './entered.ts';
import { eventRoutes } from './event-routes.ts';
import { explorerRoutes } from './explorer-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { launchRoutes } from './launch-routes.ts';
import { signedInPage } from './layout.ts';
import { loginRoutes } from './login-routes.ts';
import { ADMINS, DEVELOPERS, mountPages, type PageServices, POSTS } from './mount-pages.ts';
import type { PageRoute } from './page-route.ts';
import { requestRoutes } from './request-routes.ts';
import { sandboxRoutes } from './sandbox-routes.ts';
import { createSignInLimit } from './sign-in-limit.ts';
import { type SignInRouteServices, signInRoutes } from './sign-in-routes.ts';
import { suggestionRoutes } from './suggestion-routes.ts';
import { tenantRoutes } from './tenant-routes.ts';
import { toolRoutes } from './tool-routes.ts';
import { traceRoutes } from './trace-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

export interface ConsoleServices
  extends SessionServices,
    SignInRouteServices,
    Omit<PageServices, 'posts'>,
    AuthorizeServices {
  readonly rateLimit: Pick<RateLimit, 'counter'>;
  /** Null outside development mode. */
  readonly devtools: object | null;
}

/** Rooms that developers and users of tenants have, without their prefix. */
const SHARED_PAGES: readonly PageRoute[] = [
  ...traceRoutes,
  ...suggestionRoutes,
  ...requestRoutes,
  ...eventRoutes,
  // Replays, whose paths are below that of an endpoint, come first.
  ...dataRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...explorerRoutes,
  ...keyRoutes,
];

const sharedBelow = (prefix: string) => SHARED_PAGES.map((route) => ({ ...route, path: prefix + route.path }));

/** Pages of signed-in developers. */
export const DEVELOPER_PAGES: readonly PageRoute<'developer'>[] = [
  ...sharedBelow(DEVELOPERS.prefix),
  ...sandboxRoutes,
  ...toolRoutes,
  ...appRoutes,
  ...appInstallationRoutes,
  ...appReplayRoutes,
  ...appWebhookRoutes,
  ...appRefusalRoutes,
  ...appTraceRoutes,
  ...sandboxConsentRoutes,
  ...cliRoutes,
  ...loginRoutes,
];

/** Pages of signed-in users of tenants. */
export const ADMIN_PAGES: readonly PageRoute<'admin'>[] = [
  ...sharedBelow(ADMINS.prefix),
  ...tenantRoutes,
  ...launchRoutes,
  ...tenantConsentRoutes,
  ...accountRoutes,
];

/** Serves the pages of developers, under `/console`, and those of users of tenants. */
export function consoleRoutes(services: ConsoleServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { max: points, seconds } = services.mailLimits.signIn.network;
  const limit = createSignInLimit(services.rateLimit, { points, seconds });
  // The session is read after the form: a browser that holds a form back must not outlive its session.
  router.post(/^/, readForm);
  const pageServices = { ...services, posts: services.rateLimit.counter('console-posts', POSTS) };

  router.use('/console', ...sessionMiddleware('developer', services));
  router.use(signInRoutes('developer', services, limit));
  router.use(APPROVAL_PATH, limitUserCodes(services.rateLimit));
  mountPages(router, DEVELOPERS, DEVELOPER_PAGES, pageServices);
  if (services.devtools) mountPages(router, DEVELOPERS, componentRoutes, pageServices);
  const framed = (refusal: Page, req: Request, base: string) => inFrame(refusal, req, base, services.clock());
  router.use('/console', unknownRoute, errorPage(undefined, framed));

  router.use(...sessionMiddleware('admin', services));
  router.use(signInRoutes('admin', services, limit), authorizeRoutes(services));
  mountPages(router, ADMINS, ADMIN_PAGES, pageServices);
  router.use(unknownRoute, errorPage(undefined, framed));
  return router;
}

/** Adds what was entered to a refusal of a form, and the navigation if an account is signed in. */
function inFrame(refusal: Page, req: Request, base: string, now: number): Page {
  const page = { ...refusal, body: [refusal.body, enteredFields(req)] };
  return req.account ? signedInPage(req.account, base, page, now) : page;
}
