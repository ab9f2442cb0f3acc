import { Router } from 'express';
import { bearerAuthenticator } from '../auth/authenticator.ts';
import type { Window } from '../auth/counter.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import type { LookUpServices } from '../auth/shares.ts';
import { authenticateBearer } from '../http/bearer.ts';
import { unknownRoute } from '../http/error-handler.ts';
import { countRequest, limitSandboxWrites, refuseOverLimit } from '../http/gate.ts';
import { limitGuesses } from '../http/limit-guesses.ts';
import { mount, type PipelineServices } from '../http/pipeline.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { AnyRoute } from '../http/route.ts';
import { accountRoutes } from './account.routes.ts';
import { appWebhookRoutes } from './app-webhooks.routes.ts';
import { appRoutes } from './apps.routes.ts';
import { consentRoutes } from './consents.routes.ts';
import type { DeveloperRoute } from './developer-route.ts';
import { launchTokenRoutes, type MintServices } from './launch-tokens.routes.ts';
import { findDeveloperToken } from './tokens.ts';

interface DeveloperApiServices extends PipelineServices, MintServices, LookUpServices {
  readonly rateLimit: RateLimit;
  /** Limit of changes of one sandbox. */
  readonly sandboxWrites: Window;
  /** Replaces each route before it is mounted. */
  readonly wrapRoute: (route: AnyRoute) => AnyRoute;
  readonly requestLog: Pick<RequestLog, 'flush'>;
}

/** Serves the API under `/developer/v1`, which accepts only the tokens of `plat login`. */
export function developerApi(services: DeveloperApiServices): Router {
  const { db, clock, rateLimit } = services;
  const routes: readonly DeveloperRoute[] = [
    ...accountRoutes,
    ...appRoutes,
    ...appWebhookRoutes,
    ...consentRoutes,
    ...launchTokenRoutes(services),
  ];
  const router = Router({ caseSensitive: true, strict: true });
  const authenticator = bearerAuthenticator(services, ['plat_dv_'], (token) => findDeveloperToken(db, token, clock()));
  const failures = rateLimit.byAddress('developer-credentials');
  router.use(
    ...limitGuesses(failures, clock, authenticateBearer(authenticator, 'developer token')),
    countRequest(rateLimit),
  );
  // Callers see the latest refusal.
  router.use('/apps/:app_id/refusals', async (_req, _res, next) => {
    await services.requestLog.flush();
    next();
  });
  // Counted apart from changes with keys, and without deletions: a stolen key or login must not keep the developer from
  // ending it.
  const writes = limitSandboxWrites(rateLimit.counter('developer-writes', services.sandboxWrites));
  for (const route of routes) {
    const limits = route.operation.method === 'DELETE' ? [] : [writes];
    mount(router, services.wrapRoute(route), services, ...limits);
  }
  router.use(refuseOverLimit, unknownRoute);
  return router;
}
