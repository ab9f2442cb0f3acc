// Generated from the files of this folder by `npm run types`. Do not edit.

import type { Route } from '../http/route.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { billingRoutes } from './billing/billing.routes.ts';
import { catalogRoutes } from './catalog/catalog.routes.ts';
import { clientRoutes } from './clients/clients.routes.ts';
import { groupRoutes } from './groups/groups.routes.ts';
import { locationRoutes } from './locations/locations.routes.ts';
import { meRoutes } from './me/me.routes.ts';
import { requestRoutes } from './requests/requests.routes.ts';
import { roleRoutes } from './roles/roles.routes.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { tenantRoutes } from './tenant/tenant.routes.ts';
import { traceRoutes } from './trace/trace.routes.ts';
import { userRoutes } from './users/users.routes.ts';
import { webhookDeliveryRoutes } from './webhook-deliveries/webhook-deliveries.routes.ts';
import { webhookEndpointRoutes } from './webhook-endpoints/webhook-endpoints.routes.ts';
import { webhookEventRoutes } from './webhook-events/webhook-events.routes.ts';
import { webhookReplayRoutes } from './webhook-replays/webhook-replays.routes.ts';

/** The routes of each family. */
export const FAMILY_ROUTES: readonly Route[] = [
  ...auditRoutes,
  ...billingRoutes,
  ...catalogRoutes,
  ...clientRoutes,
  ...groupRoutes,
  ...locationRoutes,
  ...meRoutes,
  ...requestRoutes,
  ...roleRoutes,
  ...settingsRoutes,
  ...tenantRoutes,
  ...traceRoutes,
  ...userRoutes,
  ...webhookDeliveryRoutes,
  ...webhookEndpointRoutes,
  ...webhookEventRoutes,
  ...webhookReplayRoutes,
];
