import { isId } from '@plat/contract';
import { type RequestHandler, Router } from 'express';
import { findTenant } from '../accounts/tenants.ts';
import { API_KEY_PREFIXES, bearerAuthenticator } from '../auth/authenticator.ts';
import type { KeyUses } from '../auth/key-uses.ts';
import type { RateLimit } from '../auth/rate-limit.ts';
import type { LookUpServices } from '../auth/shares.ts';
import { authenticateBearer } from '../http/bearer.ts';
import { begunCall } from '../http/call.ts';
import { unknownRoute } from '../http/error-handler.ts';
import { callerOf, countRequest, refuseOverLimit } from '../http/gate.ts';
import { limitGuesses } from '../http/limit-guesses.ts';
import { mount, type PipelineServices } from '../http/pipeline.ts';
import type { AnyRoute } from '../http/route.ts';
import { ApiError } from '../kernel/api-error.ts';
import { billingRoutes } from './billing.routes.ts';
import { findVendor } from './vendor.ts';

interface OperatorApiServices extends PipelineServices, LookUpServices {
  readonly rateLimit: RateLimit;
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Replaces each route before it is mounted. */
  readonly wrapRoute: (route: AnyRoute) => AnyRoute;
}

/** Serves the API under `/operator/v1` for billing systems, which accepts only vendor keys. */
export function operatorApi(services: OperatorApiServices): Router {
  const { db, clock, keyUses, rateLimit } = services;
  const router = Router({ caseSensitive: true, strict: true });
  const authenticator = bearerAuthenticator(services, API_KEY_PREFIXES, async (token) => {
    const now = clock();
    const vendor = await findVendor(db, token, now);
    if (vendor) keyUses.note(vendor.id, now);
    return vendor;
  });
  const failures = rateLimit.byAddress('operator-credentials');
  router.use(
    ...limitGuesses(failures, clock, authenticateBearer(authenticator, 'vendor key')),
    countRequest(rateLimit),
  );
  router.use('/tenants/:tenant_id', refuseOverLimit, selectTenant(services));
  for (const route of billingRoutes) mount(router, services.wrapRoute(route), services);
  router.use(refuseOverLimit, unknownRoute);
  return router;
}

/**
 * Sets the tenant of the path. A suspended tenant is billed too, until its deletion begins. Sandboxes are not: vendor
 * keys are for production.
 */
function selectTenant({ db, clock, admission }: PipelineServices): RequestHandler {
  return async (req, _res, next) => {
    const { tenant_id: id } = req.params;
    const find = (known: string) =>
      admission.run(callerOf(req).tenantId, () => findTenant(db, known, null), begunCall(req));
    const tenant = typeof id === 'string' && isId('tenant', id) ? await find(id) : null;
    const isGone = tenant?.delete_after != null && tenant.delete_after <= clock();
    if (!tenant || isGone || tenant.sandbox === 1) {
      throw new ApiError('NOT_FOUND', 'There is no such production tenant');
    }
    req.user = { ...callerOf(req), tenantId: tenant.id };
    next();
  };
}
