import { USER_STATUSES } from '../objects/user.ts';
import { answer, changes, deleted, described, nullable, page, params, times } from './objects.ts';
import { email, id, name, roleName, time } from './texts.ts';
import { always, oneOf } from './values.ts';

const address = email('E-mail address, which receives the invitation. Unique in the tenant, without regard to case.');
const role = roleName("Name of a role: `owner`, `member`, `viewer`, `client_admin` or one of the tenant's own.");
const status = oneOf(
  'UserStatus',
  USER_STATUSES,
  '`invited` until the invitation is accepted, then `active`; `suspended` after a deactivation, for ever.',
  'active',
);
const fields = {
  name: nullable(name('Name of the user.', 'Ada Lovelace')),
  role,
  client_id: nullable(id('client', 'The client that the user belongs to.')),
  location_id: nullable(id('location', 'A location of that client, or of a group.')),
};

export const user = answer('User', 'A person of the tenant.', {
  object: always('user'),
  id: id('user'),
  email: address,
  name: fields.name,
  role,
  status,
  client_id: fields.client_id,
  location_id: fields.location_id,
  activated_at: nullable(time('When the invitation was accepted; null before.')),
  deactivated_at: nullable(time('When the user was deactivated; null before.'), null),
  ...times,
});

export const userRoleChange = answer('UserRoleChange', 'The new role of a user: `data` of `user.role_changed`.', {
  object: always('user'),
  id: id('user'),
  email: address,
  previous_role: roleName('The role before.'),
  new_role: roleName('The role from now on.', 'owner'),
  changed_by: id('user', 'Who changed it; behind a key or an app, the user who minted the key or gave the consent.'),
  changed_at: time('When it changed.'),
});

export const deletedUser = deleted('user', 'user');

export const userList = params('UserListParams', 'Which users to list.', {
  ...page,
  status: oneOf('UserStatus', USER_STATUSES, 'Only users of this status.'),
  role: described(role, 'Only users in this role.'),
  client_id: id('client', 'Only users of this client.'),
  email: described(address, 'Only the user with this address, without regard to case.'),
});

export const userCreate = params(
  'UserCreateParams',
  'A user to create and to invite.',
  { email: address, role, name: fields.name, client_id: fields.client_id, location_id: fields.location_id },
  ['email', 'role'],
);

export const userUpdate = changes('UserUpdateParams', fields);
