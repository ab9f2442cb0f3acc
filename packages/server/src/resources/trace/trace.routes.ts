import { type Route, route } from '../../http/route.ts';
import { traceOf } from './trace.service.ts';

export const traceRoutes: readonly Route[] = [
  route('trace.get', {
    handle: (ctx, { path, query }) => traceOf(ctx, path.id, ctx.credential.scopes, query),
  }),
];
