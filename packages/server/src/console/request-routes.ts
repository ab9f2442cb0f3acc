import type { RequestListParams } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import type { SessionKind } from '../accounts/session-cookie.ts';
import { getRequest, listRequests } from '../resources/requests/requests.service.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { createdAfter, listParams } from './parts/list.ts';
import { REQUEST_FILTERS, REQUESTS_PATH, requestPane, requestsPage } from './request-pages.ts';

/** The request log: a list, and an inspector with cause and fix. */
export const requestRoutes: readonly PageRoute[] = [
  {
    room: 'requests',
    method: 'GET',
    path: REQUESTS_PATH,
    async handle(call) {
      return { page: requestsPage({ ...call, ...(await listed(call)), pane: null, selected: null }) };
    },
  },
  {
    room: 'requests',
    method: 'GET',
    path: `${REQUESTS_PATH}/:id`,
    async handle(call) {
      const [shown, request] = await Promise.all([listed(call), getRequest(call.ctx, call.id)]);
      return { page: requestsPage({ ...call, ...shown, selected: request.id, pane: requestPane(call, request) }) };
    },
  },
];

async function listed({ ctx, query, now }: PageCall<SessionKind>) {
  const params = listParams<RequestListParams>(
    SCHEMAS.RequestListParams,
    query,
    REQUEST_FILTERS,
    createdAfter(query, now),
  );
  return { list: await listRequests(ctx, params) };
}
