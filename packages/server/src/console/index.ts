import { Router } from 'express';
import { carrySessions } from '../accounts/carry-sessions.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import { refuseByPage } from '../http/error-page.ts';
import { createAskLimit } from './ask-limit.ts';
import { adminHome, developerHome } from './home-routes.ts';
import { type SignInRouteServices, signInRoutes } from './sign-in-routes.ts';

export interface ConsoleServices extends SignInRouteServices {
  readonly rateLimit: Pick<RateLimit, 'counter'>;
}

/** The pages of developers, under `/console`, and those of tenants' users. */
export function consoleRoutes(services: ConsoleServices): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const limit = createAskLimit(services.rateLimit);

  router.use('/console', ...carrySessions('developer', services));
  router.use(signInRoutes('developer', services, limit), developerHome());
  router.use('/console', refuseByPage());

  router.use(...carrySessions('admin', services));
  router.use(signInRoutes('admin', services, limit), adminHome());
  return router;
}
