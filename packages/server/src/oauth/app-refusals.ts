import type { AppRefusal, AppRefusalListParams } from '@plat/contract';
import type { Database } from '../db/database.ts';
import { createdBetween, presentPage, selectPage } from '../db/page.ts';
import { REQUESTS, type RequestRow } from '../db/tables/requests.ts';
import { refusalOf } from '../http/present-request.ts';
import { endpointOf, operationOf } from '../http/request-entry.ts';
import type { Page } from '../http/route.ts';
import { isoTime } from '../kernel/clock.ts';

/** Returns the refused requests of an app, newest first. They are entries of the request log, whose owner is the app. */
export async function listRefusals(
  db: Database,
  appId: string,
  { endpoint, code, ...params }: AppRefusalListParams,
): Promise<Page<AppRefusal>> {
  const page = await selectPage(db, {
    table: REQUESTS,
    kind: 'request',
    tenantId: appId,
    params,
    filters: { code, operation: endpoint && operationOf(endpoint) },
    between: createdBetween('request', params),
  });
  return presentPage(page, presentRefusal);
}

function presentRefusal(row: RequestRow): AppRefusal {
  return {
    object: 'app_refusal',
    id: row.id,
    endpoint: endpointOf(row.operation),
    status: row.status,
    error: refusalOf(row),
    installation_id: row.credential_id,
    ip: row.ip,
    user_agent: row.user_agent,
    duration_ms: row.duration_us / 1000,
    created_at: isoTime(row.created_at),
  };
}
