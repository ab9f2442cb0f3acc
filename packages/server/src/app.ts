import express, { type Express, Router } from 'express';
import { invitationRoutes } from './accounts/invitation-routes.ts';
import type { EnsureDeveloper, FindDeveloper } from './accounts/sign-in.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import type { Counter, Window } from './auth/counter.ts';
import type { KeyUses } from './auth/key-uses.ts';
import type { RateLimit } from './auth/rate-limit.ts';
import type { KnownShares } from './auth/shares.ts';
import { consoleRoutes } from './console/index.ts';
import type { KeepSandboxKey } from './console/page-route.ts';
import { developerApi } from './developer/developer-api.ts';
import { deviceRoutes } from './developer/device-routes.ts';
import { docsRoutes, SEARCHES } from './docs/docs-routes.ts';
import { assetRoutes } from './http/assets.ts';
import { authenticateBearer } from './http/bearer.ts';
import { createCallInside, orInside } from './http/call-inside.ts';
import { requireDecodablePath } from './http/decodable-path.ts';
import { errorHandler, unknownRoute } from './http/error-handler.ts';
import { errorPage } from './http/error-page.ts';
import { readForwardedFor } from './http/forwarded-for.ts';
import { beginGate, countRequest, limitSandboxWrites, refuseOverLimit } from './http/gate.ts';
import { limitAddress } from './http/limit-address.ts';
import { limitGuesses } from './http/limit-guesses.ts';
import type { OverLimit } from './http/over-limit.ts';
import { mount, mountAnnouncement, type PipelineServices } from './http/pipeline.ts';
import { requestContext } from './http/request-context.ts';
import type { RequestLog } from './http/request-log.ts';
import type { AnyRoute, Route } from './http/route.ts';
import { siteMiddleware } from './http/site.ts';
import { keySetReader } from './launch/key-set.ts';
import { keySetRoutes } from './launch/key-set-routes.ts';
import type { LaunchSigner } from './launch/launch-signer.ts';
import { discoveryRoutes, nameResourceMetadata } from './oauth/discovery.ts';
import { beginGrant } from './oauth/end-family.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import type { OAuthServices } from './oauth/oauth-services.ts';
import { documentRoutes } from './openapi/document-routes.ts';
import { operatorApi } from './operator/operator-api.ts';
import { type Health, healthRoutes } from './ops/health.ts';
import { securityTxtRoutes } from './ops/security-txt.ts';
import { type VersionInfo, versionRoutes } from './ops/version-info.ts';
import { createRequestTail } from './resources/requests/request-tail.ts';

export interface AppServices extends PipelineServices {
  /** The routes under /v1. */
  readonly routes: readonly Route[];
  /** Replaces each route of an API before it is mounted. */
  readonly wrapRoute: (route: AnyRoute) => AnyRoute;
  readonly rateLimit: RateLimit;
  readonly shares: KnownShares;
  /** Credentials whose refusal is repeated before Express. */
  readonly overLimit: OverLimit;
  readonly keyUses: KeyUses;
  /** Limit for one OAuth app at each endpoint that apps call. */
  readonly appRateLimit: OAuthServices['appRateLimit'];
  /** Limit of changes of one sandbox. */
  readonly sandboxWrites: Window;
  /** Time in which a repeated refresh of a token gets the same response, in ms. */
  readonly refreshGraceMs: number;
  readonly health: Health;
  readonly version: VersionInfo;
  readonly trustedProxies: readonly string[];
  readonly securityContact: string | null;
  /** True when browsers use TLS, which a proxy may terminate. */
  readonly isSecure: boolean;
  readonly findDeveloper: FindDeveloper;
  readonly ensureDeveloper: EnsureDeveloper;
  readonly launchSigner: LaunchSigner;
  /** Writes the new key of the data folder's sandbox to its file. Resolves to the path; null when there is no such file. */
  readonly keepSandboxKey: KeepSandboxKey;
  /** True when developers mint launch tokens for their sandboxes. */
  readonly launchesSandboxes: boolean;
  /** Clock of request durations, in ms; defaults to the machine's. */
  readonly stopwatch?: () => number;
  readonly requestLog: RequestLog;
  /** True when mails are shown at `/_dev/mail` instead of being sent. */
  readonly showsDevMail: boolean;
  /** Aborted when the server stops: ends responses that never end themselves. */
  readonly closing: AbortSignal;
  /** Routes of the development mode, mounted first; null in production. */
  readonly devtools: Router | null;
}

/** Mounts all routes in one Express application. */
export function createApp(services: AppServices): Express {
  const { routes } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', services.trustedProxies);

  app.use(readForwardedFor, requestContext(services.log, services));
  if (services.devtools) app.use(services.devtools);
  const writes = services.rateLimit.counter('sandbox-writes', services.sandboxWrites);
  app.use('/v1', v1(services, writes));
  app.use(oauthRoutes(services));
  app.use(healthRoutes(services.health), versionRoutes(services.version));
  app.use(deviceRoutes(services));
  app.use('/developer/v1', developerApi(services));
  app.use('/operator/v1', operatorApi(services));
  app.use(['/openapi.json', '/docs', '/.well-known'], limitAddress(services.rateLimit.byAddress('documents')));
  app.use(securityTxtRoutes({ ...services, contact: services.securityContact }));
  const limitSearches = limitAddress(services.rateLimit.counter('docs-searches', SEARCHES));
  app.use(documentRoutes(routes, services.baseUrl), docsRoutes(limitSearches));
  app.use(discoveryRoutes(services.baseUrl), keySetRoutes(keySetReader(services)));
  app.use(siteMiddleware(services.baseUrl));
  app.use(assetRoutes());
  // Pages are mounted last so that API requests do not pay for sessions.
  const requestTail = createRequestTail(services);
  const pages = consoleRoutes({ ...services, writes, callInside: createCallInside(app), requestTail });
  app.use(guardPages(services.rateLimit), invitationRoutes(services), pages);
  app.use(unknownRoute);
  app.use(errorHandler);
  return app;
}

/** A separate router, so that its error page applies to these refusals only. */
function guardPages(rateLimit: RateLimit): Router {
  return Router().use(limitAddress(rateLimit.byAddress('pages')), requireDecodablePath, errorPage());
}

function v1(services: AppServices, sandboxWrites: Counter): Router {
  const { routes } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(nameResourceMetadata(services.baseUrl));
  for (const route of routes) mountAnnouncement(router, route);
  const { rateLimit, clock } = services;
  const authenticate = orInside(authenticateBearer(createAuthenticator({ ...services, beginGrant })));
  router.use(beginGate, ...limitGuesses(rateLimit.byAddress('credentials'), clock, authenticate));
  router.use(countRequest(rateLimit), services.overLimit.noteRefusal);
  // Flushes the request log so that callers see their latest request.
  router.use(['/requests', '/trace'], async (_req, _res, next) => {
    await services.requestLog.flush();
    next();
  });
  const writes = limitSandboxWrites(sandboxWrites);
  for (const route of routes) mount(router, services.wrapRoute(route), services, writes);
  router.use(refuseOverLimit, unknownRoute);
  return router;
}
