// Generated from the files of this folder by `npm run types`. Do not edit.

import type { OperationName } from '../operations.ts';
import * as appEvent from './app-event.ts';
import * as appRefusal from './app-refusal.ts';
import * as auditEvent from './audit-event.ts';
import * as billing from './billing.ts';
import * as catalog from './catalog.ts';
import * as client from './client.ts';
import * as developer from './developer.ts';
import * as deviceLogin from './device-login.ts';
import * as event from './event.ts';
import * as group from './group.ts';
import * as installation from './installation.ts';
import * as location from './location.ts';
import * as me from './me.ts';
import * as oauthApp from './oauth-app.ts';
import * as oauthAuthorization from './oauth-authorization.ts';
import * as objects from './objects.ts';
import * as request from './request.ts';
import * as role from './role.ts';
import * as settings from './settings.ts';
import * as tenant from './tenant.ts';
import * as trace from './trace.ts';
import * as user from './user.ts';
import * as webhookDelivery from './webhook-delivery.ts';
import * as webhookEndpoint from './webhook-endpoint.ts';
import * as webhookReplay from './webhook-replay.ts';
import type { OperationSchemas } from './operations.ts';

/** The modules that export schemas. */
export const MODULES: readonly Readonly<Record<string, unknown>>[] = [
  appEvent,
  appRefusal,
  auditEvent,
  billing,
  catalog,
  client,
  developer,
  deviceLogin,
  event,
  group,
  installation,
  location,
  me,
  oauthApp,
  oauthAuthorization,
  objects,
  request,
  role,
  settings,
  tenant,
  trace,
  user,
  webhookDelivery,
  webhookEndpoint,
  webhookReplay,
];

/**
 * Schemas, error codes and details of each operation of /v1. The types of the operations are derived from them. They
 * are separate from `OPERATIONS` so that SDK bundles do not include them.
 */
export const OPERATION_SCHEMAS = {
  ...auditEvent.operations,
  ...billing.operations,
  ...catalog.operations,
  ...client.operations,
  ...event.operations,
  ...group.operations,
  ...location.operations,
  ...me.operations,
  ...request.operations,
  ...role.operations,
  ...settings.operations,
  ...tenant.operations,
  ...trace.operations,
  ...user.operations,
  ...webhookDelivery.operations,
  ...webhookEndpoint.operations,
  ...webhookReplay.operations,
} as const satisfies Readonly<Record<OperationName, OperationSchemas>>;
