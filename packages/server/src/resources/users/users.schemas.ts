import {
  USER_STATUSES,
  type User,
  type UserCreateParams,
  type UserListParams,
  type UserRoleChange,
  type UserUpdateParams,
} from '@plat/contract';
import {
  deleted,
  describe,
  email,
  id,
  listFields,
  name,
  nullable,
  object,
  oneOf,
  optional,
  roleName,
  timestamp,
} from '../../http/rules.ts';

const fields = {
  email: describe(email(), 'Unique in the tenant, whatever its case.'),
  name: describe(nullable(name()), 'What people call the user.', 'Ada Lovelace'),
  role: describe(roleName(), 'Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant’s own.'),
  client_id: describe(nullable(id('client')), 'The client that the user belongs to.'),
  location_id: describe(nullable(id('location')), 'A location of that client, or of a group.'),
};

export const user = describe(
  object<User>('User', {
    object: oneOf(['user']),
    id: id('user'),
    email: fields.email,
    name: fields.name,
    role: fields.role,
    status: describe(
      oneOf(USER_STATUSES),
      '`invited` until the invitation is accepted, then `active`; `suspended` after a deactivation, for ever.',
      'active',
    ),
    client_id: fields.client_id,
    location_id: fields.location_id,
    activated_at: describe(nullable(timestamp()), 'When the invitation was accepted; null before.'),
    deactivated_at: describe(nullable(timestamp()), 'When the user was deactivated; null before.', null),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
  'A person of the tenant.',
);

export const userRoleChange = describe(
  object<UserRoleChange>('UserRoleChange', {
    object: oneOf(['user']),
    id: id('user'),
    email: fields.email,
    previous_role: describe(roleName(), 'The role before.', 'member'),
    new_role: describe(roleName(), 'The role from now on.', 'owner'),
    changed_by: describe(id('user'), 'Who changed it; behind a key or an app, who minted the key or gave the consent.'),
    changed_at: describe(timestamp(), 'When it changed.'),
  }),
  'The new role of a user.',
);

export const deletedUser = deleted('user', 'user');

export const userList = object<UserListParams>({
  ...listFields,
  status: optional(describe(oneOf(USER_STATUSES), 'Only users of this status.')),
  role: optional(describe(roleName(), 'Only users in this role.')),
  client_id: optional(describe(id('client'), 'Only users of this client.')),
  email: optional(describe(email(), 'Only the user with this address, whatever its case.')),
});

export const userCreate = describe(
  object<UserCreateParams>('UserCreate', {
    email: fields.email,
    role: fields.role,
    name: optional(fields.name),
    client_id: optional(fields.client_id),
    location_id: optional(fields.location_id),
  }),
  'A user to create and to invite.',
);

export const userUpdate = describe(
  object<UserUpdateParams>('UserUpdate', {
    name: optional(fields.name),
    role: optional(fields.role),
    client_id: optional(fields.client_id),
    location_id: optional(fields.location_id),
  }),
  'The fields to change; those that are absent stay as they are.',
);
