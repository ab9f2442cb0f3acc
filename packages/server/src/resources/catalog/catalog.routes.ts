import { type Route, route } from '../../http/route.ts';
import { listModules, listPlans } from './catalog.service.ts';

export const catalogRoutes: readonly Route[] = [
  route('modules.list', { handle: (ctx, { query }) => listModules(ctx, query) }),
  route('plans.list', { handle: (ctx, { query }) => listPlans(ctx, query) }),
];
