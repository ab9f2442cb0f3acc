import type { LoggedRequest, RequestListParams } from '@plat/contract';
import type { Context } from '../../context.ts';
import { findById } from '../../db/find.ts';
import { createdBetween, filter, selectPage } from '../../db/page.ts';
import { REQUEST_COLUMNS, type RequestRow } from '../../db/requests.ts';
import { presentRequest } from '../../http/present-request.ts';
import type { Page } from '../../http/route.ts';

export async function listRequests(ctx: Context, params: RequestListParams): Promise<Page<LoggedRequest>> {
  const { rows, hasMore } = await selectPage<RequestRow>(ctx.db, {
    table: 'requests',
    columns: REQUEST_COLUMNS,
    kind: 'request',
    tenantId: ctx.tenantId,
    params,
    where: [
      ...filter('outcome', params.outcome),
      ...filter('code', params.code),
      ...filter('method', params.method),
      ...filter('operation', params.operation),
      ...filter('credential_id', params.credential_id),
      ...createdBetween('request', params),
    ],
  });
  return { data: rows.map(present), hasMore };
}

export async function getRequest(ctx: Context, id: string): Promise<LoggedRequest> {
  const missing = 'REQUEST_NOT_FOUND';
  return present(
    await findById<RequestRow>(ctx, { table: 'requests', columns: REQUEST_COLUMNS, kind: 'request', id, missing }),
  );
}

/** What a tenant has in its log came with a credential. */
const present = (row: RequestRow) => presentRequest(row) as LoggedRequest;
