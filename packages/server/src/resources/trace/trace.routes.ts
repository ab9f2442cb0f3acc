import { type Route, route } from '../../http/route.ts';
import { traceOf } from './trace.service.ts';

export const traceRoutes: readonly Route[] = [
  route('trace.get', {
    errors: ['TRACE_NOT_FOUND', 'INSUFFICIENT_SCOPE', 'INVALID_CURSOR'],
    handle: (ctx, { path, query }) => traceOf(ctx, path.id, ctx.credential.scopes, query),
  }),
];
