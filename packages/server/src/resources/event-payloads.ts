import type { EventPayloads, EventType } from '@plat/contract';
import { ALL_SCOPES, type OAuthAuthorization } from '@plat/contract';
import { array, describe, id, nullable, object, oneOf, type Rule, string, timestamp } from '../http/rules.ts';
import { client } from './clients/clients.schemas.ts';
import { group, groupMember, groupOwner } from './groups/groups.schemas.ts';
import { location } from './locations/locations.schemas.ts';
import { tenant } from './tenant/tenant.schemas.ts';
import { user, userRoleChange } from './users/users.schemas.ts';

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
  'group.created': group,
  'group.updated': group,
  'group.member_added': groupMember,
  'group.member_removed': groupMember,
  'group.owner_invited': groupOwner,
  'group.owner_removed': groupOwner,
  'group.deleted': group,
  'user.invited': user,
  'user.activated': user,
  'user.deactivated': user,
  'user.role_changed': userRoleChange,
  'tenant.suspended': tenant,
  'tenant.reactivated': tenant,
  'location.created': location,
  'location.updated': location,
  'location.deleted': location,
  'oauth.app_authorized': authorization,
  'oauth.app_revoked': authorization,
};
