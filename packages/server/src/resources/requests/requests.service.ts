import { type LoggedRequest, OPERATIONS, type RequestListParams } from '@plat/contract';
import type { ReadContext } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, presentPage, requireCursors, selectPage } from '../../db/page.ts';
import { REQUESTS, type RequestRow } from '../../db/tables/requests.ts';
import { presentRequest } from '../../http/present-request.ts';
import type { Page } from '../../http/route.ts';

/** Filters of the list, which are columns too. */
export const FILTERS = ['code', 'operation', 'credential_id', 'outcome', 'method'] as const;

export async function listRequests(ctx: ReadContext, given: RequestListParams): Promise<Page<LoggedRequest>> {
  requireCursors('request', given);
  const params = withoutRedundant(given);
  if (params === null) return { data: [], hasMore: false };
  const page = await selectPage(ctx.db, {
    table: REQUESTS,
    kind: 'request',
    tenantId: ctx.tenantId,
    params,
    filters: Object.fromEntries(FILTERS.map((name) => [name, params[name]])),
    between: createdBetween('request', params),
  });
  return presentPage(page, presentEntry);
}

/** Removes filters that others imply. Returns null if no request can match all of them. */
function withoutRedundant(params: RequestListParams): RequestListParams | null {
  const { code, outcome, operation, method, ...rest } = params;
  // Only a refusal has a code. An operation has one method, and HEAD beside GET.
  if (code !== undefined && outcome === 'succeeded') return null;
  const own = operation && OPERATIONS[operation].method;
  const isOther = own !== undefined && method !== undefined && own !== method;
  if (isOther && !(own === 'GET' && method === 'HEAD')) return null;
  return {
    ...rest,
    ...(code === undefined ? outcome && { outcome } : { code }),
    ...(operation && { operation }),
    ...(own === undefined || own === 'GET' ? method && { method } : {}),
  };
}

export async function getRequest(ctx: ReadContext, id: string): Promise<LoggedRequest> {
  const missing = 'REQUEST_NOT_FOUND';
  return presentEntry(await findById(ctx, { table: REQUESTS, kind: 'request', id, missing }));
}

/** Presents an entry. Every entry in the log of a tenant has a credential. */
export const presentEntry = (row: RequestRow) => presentRequest(row) as LoggedRequest;
