// Generated from the files of this folder by `npm run types`. Do not edit.

import type { EventType } from '../event-types.ts';
import * as client from './client.ts';
import * as group from './group.ts';
import * as location from './location.ts';
import * as oauthAuthorization from './oauth-authorization.ts';
import * as tenant from './tenant.ts';
import * as user from './user.ts';
import type { JsonSchema } from './json-schema.ts';

/** Schema of `data` for each event type. */
export const PAYLOADS: Readonly<Record<EventType, JsonSchema>> = {
  ...client.payloads,
  ...group.payloads,
  ...location.payloads,
  ...oauthAuthorization.payloads,
  ...tenant.payloads,
  ...user.payloads,
};
