import { boolean, name, object } from '@plat/contract/schemas';
import { Router } from 'express';
import { parseJsonBody, readSmallBody } from '../http/body.ts';
import { sendJson } from '../http/respond.ts';
import { validate } from '../http/validate.ts';
import type { CreateDevTenant, NewDevTenant } from './tenants.ts';

const NEW_TENANT = object({ name: name(), seed: boolean() });

/** `POST /_dev/tenants`: creates a tenant for a test file in one call. */
export function tenantRoutes(createTenant: CreateDevTenant): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post('/_dev/tenants', readSmallBody, async (req, res) => {
    const wanted = validate('INVALID_BODY', NEW_TENANT, parseJsonBody(req)) as NewDevTenant;
    sendJson(res, 201, JSON.stringify(await createTenant(wanted)));
  });
  return router;
}
