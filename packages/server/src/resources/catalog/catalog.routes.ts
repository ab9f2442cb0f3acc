import { type Route, route } from '../../http/route.ts';
import { catalogList, module, plan } from './catalog.schemas.ts';
import { listModules, listPlans } from './catalog.service.ts';

export const catalogRoutes: readonly Route[] = [
  route('modules.list', { query: catalogList, response: module, handle: (ctx, { query }) => listModules(ctx, query) }),
  route('plans.list', { query: catalogList, response: plan, handle: (ctx, { query }) => listPlans(ctx, query) }),
];
