import { isId, type LoggedRequest, type RequestListParams } from '@plat/contract';
import { SCHEMAS } from '@plat/contract/schemas';
import { accountIdOf } from '../accounts/session.ts';
import type { EventStream } from '../http/event-stream.ts';
import { ApiError } from '../kernel/api-error.ts';
import { readBodies } from '../resources/requests/request-bodies.ts';
import { getRequest, listRequests } from '../resources/requests/requests.service.ts';
import { mayEnter } from './access.ts';
import { type ActorNames, readActorNames } from './actor-names.ts';
import type { PageCall, PageRoute } from './page-route.ts';
import { listParams, TIMES } from './parts/list.ts';
import { tableRow } from './parts/table.ts';
import {
  goneRequestPane,
  keptQuery,
  REQUEST_FILTERS,
  REQUESTS_PATH,
  requestPane,
  requestRows,
  requestsPage,
  TAIL_PATH,
} from './request-pages.ts';

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
    path: TAIL_PATH,
    answers: 'events',
    async handle(call) {
      call.requestTail.requireRoom(accountIdOf(call.session));
      const filters = listParams<RequestListParams>(
        SCHEMAS.RequestListParams,
        { query: { ...call.query, starting_after: '', ending_before: '' }, now: call.now },
        REQUEST_FILTERS.filter((filter) => !TIMES.includes(filter)),
      );
      return { follow: (stream) => follow(call, filters, stream) };
    },
  },
  {
    room: 'requests',
    method: 'GET',
    path: `${REQUESTS_PATH}/:id`,
    async handle(call) {
      const shown = await listed(call);
      try {
        const [request, bodies] = await Promise.all([getRequest(call.ctx, call.id), readBodies(call.ctx, [call.id])]);
        const pane = requestPane(call, request, bodies.get(request.id), await callersOf(call, request));
        const name = `${request.method} ${request.path}`;
        return { page: requestsPage({ ...call, ...shown, selected: request.id, name, pane }) };
      } catch (error) {
        // The audit trail names requests for longer than the log has them.
        if (!isMissing(error) || !isId('request', call.id)) throw error;
        return {
          status: 404,
          page: requestsPage({ ...call, ...shown, selected: call.id, pane: goneRequestPane(call) }),
        };
      }
    },
  },
];

/** Names of the key or app, for those who see them in the audit trail too. */
async function callersOf(call: PageCall, { credential: { type, id, app_id } }: LoggedRequest): Promise<ActorNames> {
  if (!mayEnter(call.session, 'audit', 'read')) return new Map();
  return readActorNames(call, [
    ...(type === 'api_key' ? [{ type, id }] : []),
    ...(app_id === null ? [] : [{ type: 'oauth_app', id: app_id } as const]),
  ]);
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'REQUEST_NOT_FOUND';
}

/** Sends new entries of the list, as rows of its table. */
function follow(
  { session, query, base, prefix, requestTail, isStillAllowed }: PageCall,
  filters: RequestListParams,
  stream: EventStream,
): void {
  let hasGap = false;
  const leave = requestTail.follow(session.tenantId, {
    accountId: accountIdOf(session),
    after: isId('request', query['after']) ? query['after'] : null,
    filters,
    isAllowed: () => isStillAllowed('requests'),
    show(entries, isCut) {
      hasGap ||= isCut;
      if (hasGap && stream.send('gap', {})) hasGap = false;
      for (const request of entries) {
        const now = Date.parse(request.created_at);
        const html = tableRow(request, requestRows({ base, prefix, now }, keptQuery(query))).toString();
        if (!stream.send('request', { id: request.id, html })) hasGap = true;
      }
    },
    end() {
      stream.send('end', {});
      stream.end();
    },
  });
  stream.onEnd(leave);
}

async function listed(call: PageCall) {
  const params = listParams<RequestListParams>(SCHEMAS.RequestListParams, call, REQUEST_FILTERS);
  return { list: await listRequests(call.ctx, params) };
}
