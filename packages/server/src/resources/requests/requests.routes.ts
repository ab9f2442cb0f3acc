import { type Route, route } from '../../http/route.ts';
import { getRequest, listRequests } from './requests.service.ts';

export const requestRoutes: readonly Route[] = [
  route('requests.list', {
    handle: (ctx, { query }) => listRequests(ctx, query),
  }),
  route('requests.get', {
    handle: (ctx, { path }) => getRequest(ctx, path.request_id),
  }),
];
