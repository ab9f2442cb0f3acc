import { Router } from 'express';
import type { Database } from '../db/database.ts';
import { isOfProduction } from '../db/installation.ts';
import { requireDecodablePath } from '../http/decodable-path.ts';
import { unknownRoute } from '../http/error-handler.ts';
import { loopbackOnly } from '../http/loopback-only.ts';
import type { RequestLog } from '../http/request-log.ts';
import { siteMiddleware } from '../http/site.ts';
import { clockRoutes } from './clock.routes.ts';
import { faultRoutes } from './faults.routes.ts';
import type { Faults } from './faults.ts';
import { notFromPages, refuseProductionData } from './guard.ts';
import { requestRoutes } from './requests.routes.ts';
import { tenantRoutes } from './tenants.routes.ts';
import type { CreateDevTenant } from './tenants.ts';
import type { TimeControl } from './time-control.ts';

export interface DevServices {
  readonly db: Database;
  readonly time: TimeControl;
  readonly createTenant: CreateDevTenant;
  readonly faults: Faults;
  readonly requestLog: RequestLog;
  /** True if the data ends with the server. */
  readonly isEphemeral: boolean;
  /** Called for each request that may change data. */
  written(): void;
  /** Mounted before all paths outside `/_dev`. */
  readonly requestFaults: Router;
  /** Returns the public address of the server, which is available once the server listens. */
  readonly baseUrl: () => string;
}

/**
 * Serves the paths below `/_dev`, loopback only. They are mounted first, so that faults and limits do not apply to
 * them.
 */
export function devRoutes(services: DevServices, ...others: readonly Router[]): Router {
  const { db, time, createTenant, faults, requestLog, baseUrl } = services;
  const router = Router({ caseSensitive: true, strict: true });
  router.use(
    '/_dev',
    loopbackOnly(baseUrl),
    notFromPages,
    requireDecodablePath,
    siteMiddleware(baseUrl),
    refuseProductionData(() => isOfProduction(db)),
    (_req, res, next) => {
      res.setHeader('Cache-Control', 'no-store');
      next();
    },
  );
  router.use(
    clockRoutes(time, services.isEphemeral),
    tenantRoutes(createTenant),
    faultRoutes(faults),
    requestRoutes(db, requestLog),
    ...others,
  );
  router.use('/_dev', unknownRoute);
  router.use((req, _res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') services.written();
    next();
  });
  router.use(services.requestFaults);
  return router;
}
