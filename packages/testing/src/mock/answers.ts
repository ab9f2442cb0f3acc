// Generated from the files of this folder by `npm run types`. Do not edit.

import type { Answers } from './call.ts';
import { catalog } from './families/catalog.ts';
import { clients } from './families/clients.ts';
import { groups } from './families/groups.ts';
import { locations } from './families/locations.ts';
import { tenant } from './families/tenant.ts';
import { trace } from './families/trace.ts';
import { users } from './families/users.ts';
import { webhooks } from './families/webhooks.ts';

/** Handlers of every operation except `me.get`, which concerns the credential rather than the tenant. */
export const ANSWERS: Omit<Answers, 'me.get'> = {
  ...catalog,
  ...clients,
  ...groups,
  ...locations,
  ...tenant,
  ...trace,
  ...users,
  ...webhooks,
};
