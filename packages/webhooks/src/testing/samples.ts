import type {
  Client,
  EventPayloads,
  EventType,
  Group,
  GroupMember,
  GroupOwner,
  Location,
  OAuthAuthorization,
  Tenant,
  User,
} from '@plat/contract';

const BEFORE = '2026-01-15T09:00:00.000Z';
const AT = '2026-01-15T09:30:00.000Z';

/** Tenant id of all samples. */
export const SAMPLE_TENANT_ID = 'tnt_01kf0v6wg0000000000000000t';
/** App id of all samples. */
export const SAMPLE_APP_ID = 'app_01kf0v6wg0000000000000000a';

const client: Client = {
  object: 'client',
  id: 'cli_01kf0v6wg0000000000000000c',
  name: 'Acme',
  status: 'active',
  slug: 'acme',
  custom_domain: null,
  created_at: BEFORE,
  updated_at: AT,
};

const group: Group = {
  object: 'group',
  id: 'grp_01kf0v6wg0000000000000000g',
  name: 'Northern region',
  slug: 'northern-region',
  membership_policy: 'invite_only',
  member_count: 2,
  created_at: BEFORE,
  updated_at: AT,
};

const member: GroupMember = {
  object: 'group_member',
  group_id: group.id,
  client_id: client.id,
  created_at: BEFORE,
  updated_at: BEFORE,
};

const user: User = {
  object: 'user',
  id: 'usr_01kf0v6wg0000000000000000m',
  email: 'sam@acme.example',
  name: 'Sam Lee',
  role: 'member',
  status: 'active',
  client_id: client.id,
  location_id: null,
  activated_at: AT,
  deactivated_at: null,
  created_at: BEFORE,
  updated_at: AT,
};

const owner: GroupOwner = {
  object: 'group_owner',
  group_id: group.id,
  user_id: user.id,
  email: user.email,
  status: 'invited',
  created_at: BEFORE,
  updated_at: BEFORE,
};

const location: Location = {
  object: 'location',
  id: 'loc_01kf0v6wg0000000000000000h',
  client_id: client.id,
  group_id: null,
  name: 'Head office',
  address: 'Unter den Linden 1, 10117 Berlin',
  timezone: 'Europe/Berlin',
  country: 'DE',
  default: false,
  created_at: BEFORE,
  updated_at: AT,
};

const tenant: Tenant = {
  object: 'tenant',
  id: SAMPLE_TENANT_ID,
  name: 'Example Holding',
  status: 'active',
  plan_id: null,
  sandbox: true,
  created_at: BEFORE,
  updated_at: AT,
};

const authorization: OAuthAuthorization = {
  object: 'oauth_authorization',
  app_id: SAMPLE_APP_ID,
  app_name: 'Example Reports',
  tenant_id: SAMPLE_TENANT_ID,
  scopes: ['clients:read'],
  granted_by: 'usr_01kf0v6wg0000000000000000w',
  created_at: BEFORE,
  revoked_at: null,
};

/** A complete payload for each event type, in the state right after the event. */
export const SAMPLE_PAYLOADS: { readonly [T in EventType]: EventPayloads[T] } = {
  'client.created': { ...client, updated_at: BEFORE },
  'client.updated': { ...client, name: 'Acme International' },
  'client.deleted': client,
  'group.created': { ...group, member_count: 0, updated_at: BEFORE },
  'group.updated': group,
  'group.member_added': member,
  'group.member_removed': member,
  'group.owner_invited': owner,
  'group.owner_removed': { ...owner, status: 'active' },
  'group.deleted': group,
  'user.invited': { ...user, status: 'invited', activated_at: null, updated_at: BEFORE },
  'user.activated': user,
  'user.deactivated': { ...user, status: 'suspended', activated_at: BEFORE, deactivated_at: AT },
  'user.role_changed': {
    object: 'user',
    id: user.id,
    email: user.email,
    previous_role: 'viewer',
    new_role: 'member',
    changed_by: authorization.granted_by,
    changed_at: AT,
  },
  'tenant.suspended': { ...tenant, status: 'suspended' },
  'tenant.reactivated': tenant,
  'location.created': { ...location, updated_at: BEFORE },
  'location.updated': { ...location, default: true },
  'location.deleted': location,
  'oauth.app_authorized': authorization,
  'oauth.app_revoked': { ...authorization, revoked_at: AT },
};
