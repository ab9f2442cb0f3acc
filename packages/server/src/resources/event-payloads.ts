import type { EventPayloads, EventType } from '@plat/contract';
import { ALL_SCOPES, type OAuthAuthorization } from '@plat/contract';
import {
  anyObject,
  array,
  describe,
  id,
  nullable,
  object,
  oneOf,
  type Rule,
  string,
  timestamp,
} from '../http/rules.ts';
import { client } from './clients/clients.schemas.ts';

const authorization = describe(
  object<OAuthAuthorization>('OAuthAuthorization', {
    object: oneOf(['oauth_authorization']),
    app_id: id('app'),
    app_name: describe(string(), 'What people call the app.', 'Ledger Sync'),
    tenant_id: id('tenant'),
    scopes: describe(array(oneOf(ALL_SCOPES)), 'What the app may do.', ['clients:read']),
    granted_by: describe(id('user'), 'The user who gave the consent.'),
    created_at: timestamp(),
    revoked_at: describe(nullable(timestamp()), 'When the consent was taken back; null while it holds.'),
  }),
  'The consent of a tenant to an OAuth app.',
);

/** Event type → the rule of its `data`; the compiler holds it against the contract. */
export const EVENT_PAYLOADS: { readonly [T in EventType]: Rule<EventPayloads[T]> } = {
  'client.created': client,
  'client.updated': client,
  'client.deleted': client,
  'group.created': anyObject(),
  'group.updated': anyObject(),
  'group.member_added': anyObject(),
  'group.member_removed': anyObject(),
  'group.owner_invited': anyObject(),
  'group.owner_removed': anyObject(),
  'group.deleted': anyObject(),
  'user.invited': anyObject(),
  'user.activated': anyObject(),
  'user.deactivated': anyObject(),
  'user.role_changed': anyObject(),
  'tenant.suspended': anyObject(),
  'tenant.reactivated': anyObject(),
  'location.created': anyObject(),
  'location.updated': anyObject(),
  'location.deleted': anyObject(),
  'oauth.app_authorized': authorization,
  'oauth.app_revoked': authorization,
};
