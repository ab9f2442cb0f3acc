import * as auditEvent from './audit-event.ts';
import * as billing from './billing.ts';
import * as catalog from './catalog.ts';
import * as client from './client.ts';
import * as developer from './developer.ts';
import * as deviceLogin from './device-login.ts';
import { appEvent, appEventList, event, eventList } from './event.ts';
import * as group from './group.ts';
import * as installation from './installation.ts';
import type { JsonSchema } from './json-schema.ts';
import * as location from './location.ts';
import * as me from './me.ts';
import * as oauthApp from './oauth-app.ts';
import * as oauthAuthorization from './oauth-authorization.ts';
import { listParams } from './objects.ts';
import type { SchemaName } from './operations.ts';
import * as request from './request.ts';
import * as role from './role.ts';
import * as settings from './settings.ts';
import * as tenant from './tenant.ts';
import * as trace from './trace.ts';
import * as user from './user.ts';
import * as webhookDelivery from './webhook-delivery.ts';
import * as webhookEndpoint from './webhook-endpoint.ts';
import * as webhookReplay from './webhook-replay.ts';

const families: readonly Readonly<Record<string, JsonSchema>>[] = [
  { listParams },
  me,
  client,
  group,
  location,
  user,
  tenant,
  settings,
  role,
  auditEvent,
  request,
  catalog,
  billing,
  webhookEndpoint,
  { event, eventList },
  webhookDelivery,
  webhookReplay,
  trace,
  oauthAuthorization,
  oauthApp,
  installation,
  { appEvent, appEventList },
  developer,
  deviceLogin,
];

/** Schemas by their title. The generated types have the same names. */
export const SCHEMAS = Object.fromEntries(
  families.flatMap((family) => Object.values(family)).map((schema) => [schema.title, schema]),
) as Readonly<Record<SchemaName, JsonSchema>>;
