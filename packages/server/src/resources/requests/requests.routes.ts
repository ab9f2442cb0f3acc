import { type Route, route } from '../../http/route.ts';
import { loggedRequest, requestList } from './requests.schemas.ts';
import { getRequest, listRequests } from './requests.service.ts';

export const requestRoutes: readonly Route[] = [
  route('requests.list', {
    query: requestList,
    response: loggedRequest,
    handle: (ctx, { query }) => listRequests(ctx, query),
  }),
  route('requests.get', {
    response: loggedRequest,
    errors: ['REQUEST_NOT_FOUND'],
    handle: (ctx, { path }) => getRequest(ctx, path.request_id),
  }),
];
