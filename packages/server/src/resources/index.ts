import type { Route } from '../http/route.ts';
import { billingRoutes } from './billing/billing.routes.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { clientRoutes } from './clients/clients.routes.ts';
import { meRoutes } from './me/me.routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries/webhook-deliveries.routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/webhook-endpoints.routes.ts';
import { webhookEventRoutes } from './webhook-events/webhook-events.routes.ts';

/** Every route of /v1, one line a family. */
export const ROUTES: readonly Route[] = [
  ...meRoutes,
  ...clientRoutes,
  ...catalogRoutes,
  ...billingRoutes,
  ...webhookEndpointRoutes,
  ...webhookEventRoutes,
  ...webhookDeliveryRoutes,
];
