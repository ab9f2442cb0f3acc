import express, { type Express, Router } from 'express';
import { invitationRoutes } from './accounts/invitation-routes.ts';
import type { EnsureDeveloper, FindDeveloper } from './accounts/sign-in.ts';
import { createAuthenticator } from './auth/authenticator.ts';
import type { RateLimit, Window } from './auth/rate-limit.ts';
import { consoleRoutes } from './console/index.ts';
import { developerApi } from './developer/developer-api.ts';
import { deviceRoutes } from './developer/device-routes.ts';
import { assetRoutes } from './http/assets.ts';
import { authenticateBearer } from './http/bearer.ts';
import { errorHandler, unknownRoute } from './http/error-handler.ts';
import { countRequest, countSandboxWrite, refuseOverLimit } from './http/gate.ts';
import { mount, mountAnnouncement, type PipelineServices } from './http/pipeline.ts';
import { requestContext } from './http/request-context.ts';
import type { RequestLog } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { knowSite } from './http/site.ts';
import { keySetReader } from './launch/key-set.ts';
import { keySetRoutes } from './launch/key-set-routes.ts';
import type { LaunchSigner } from './launch/launch-signer.ts';
import { discoveryRoutes, nameResourceMetadata } from './oauth/discovery.ts';
import { oauthRoutes } from './oauth/oauth-routes.ts';
import { documentRoutes } from './openapi/document-routes.ts';
import { type Health, healthRoutes } from './ops/health.ts';
import { SURFACE } from './surface.ts';

export interface AppServices extends PipelineServices {
  /** What is served under /v1. */
  readonly routes: readonly Route[];
  readonly rateLimit: RateLimit;
  /** Changes that one sandbox may make. */
  readonly sandboxWrites: Window;
  /** How long, in ms, a repeated refresh of a token gets the same answer again. */
  readonly refreshGraceMs: number;
  readonly health: Health;
  readonly trustedProxies: readonly string[];
  /** Whether browsers reach this server over TLS; it need not end here. */
  readonly isSecure: boolean;
  readonly findDeveloper: FindDeveloper;
  readonly ensureDeveloper: EnsureDeveloper;
  readonly launchSigner: LaunchSigner;
  /** Whether developers mint launch tokens for their sandboxes themselves. */
  readonly mintsLaunchTokens: boolean;
  /** What says how long a request took, in ms; the machine's when absent. */
  readonly stopwatch?: () => number;
  readonly requestLog: RequestLog;
  /** What comes before all else in the development mode; null in production. */
  readonly devtools: Router | null;
}

/** Wires every room into one Express application. */
export function createApp(services: AppServices): Express {
  const { routes } = services;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('case sensitive routing', true);
  app.set('strict routing', true);
  app.set('trust proxy', services.trustedProxies);

  app.use(requestContext(services.log, services));
  if (services.devtools) app.use(services.devtools);
  app.use(healthRoutes(services.health));
  app.use(documentRoutes({ ...SURFACE, routes }, services.baseUrl));
  app.use('/v1', v1(services));
  app.use(oauthRoutes(services), discoveryRoutes(services.baseUrl), keySetRoutes(keySetReader(services)));
  app.use(deviceRoutes(services));
  app.use('/developer/v1', developerApi(services));
  app.use(knowSite(services.baseUrl));
  app.use(invitationRoutes(services));
  // What people see comes after all that programs call: a session costs a query.
  app.use(assetRoutes(), consoleRoutes(services));
  app.use(unknownRoute);
  app.use(errorHandler);
  return app;
}

function v1(services: AppServices): Router {
  const { routes } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(nameResourceMetadata(services.baseUrl));
  for (const route of routes) mountAnnouncement(router, route);
  // Whoever asks what became of a request finds the last one too.
  router.use('/requests', async (_req, _res, next) => {
    await services.requestLog.flush();
    next();
  });
  router.use(...authenticateBearer(createAuthenticator(services)), countRequest(services.rateLimit));
  router.use(countSandboxWrite(services.rateLimit.counter('sandbox-writes', services.sandboxWrites)));
  for (const route of routes) mount(router, route, services);
  router.use(refuseOverLimit, unknownRoute);
  return router;
}
