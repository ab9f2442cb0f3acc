import type { Route } from '../http/route.ts';
import { clientRoutes } from './clients/clients.routes.ts';
import { meRoutes } from './me/me.routes.ts';

/** Every route of /v1, one line a family. */
export const ROUTES: readonly Route[] = [...meRoutes, ...clientRoutes];
