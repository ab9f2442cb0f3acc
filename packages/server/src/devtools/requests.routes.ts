import { isId, LIMITS, REQUEST_OUTCOMES, type RequestOutcome } from '@plat/contract';
import { integer, object, oneOf } from '@plat/contract/schemas';
import { Router } from 'express';
import type { Database } from '../db/database.ts';
import type { RequestRow } from '../db/requests.ts';
import { type PresentedRequest, presentRequest } from '../http/present-request.ts';
import { validQuery } from '../http/query.ts';
import type { RequestLog } from '../http/request-log.ts';
import { sendJson } from '../http/respond.ts';

interface Wanted {
  readonly limit?: number;
  readonly outcome?: RequestOutcome;
}

/** A request of any tenant, or without a tenant. */
interface DevRequest extends PresentedRequest {
  readonly tenant_id: string | null;
}

const WANTED = object({ limit: integer(1, LIMITS.page.max), outcome: oneOf(null, REQUEST_OUTCOMES) });

/**
 * `GET /_dev/requests`: the latest requests of all tenants, newest first, including those without a valid credential.
 */
export function requestRoutes(db: Database, requestLog: RequestLog): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/_dev/requests', async (req, res) => {
    const wanted = validQuery(WANTED, req) as Wanted;
    await requestLog.flush();
    const rows = await newest(db, wanted);
    sendJson(res, 200, JSON.stringify(rows.map(present)));
  });
  return router;
}

function newest(db: Database, { limit = LIMITS.page.default, outcome }: Wanted): Promise<RequestRow[]> {
  const where = outcome === undefined ? {} : { outcome };
  return db.models.request.findAll({ where, order: [['id', 'DESC']], limit, raw: true });
}

function present(row: RequestRow): DevRequest {
  return { ...presentRequest(row), tenant_id: isId('tenant', row.tenant_id) ? row.tenant_id : null };
}
